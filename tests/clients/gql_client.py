"""gql: queries held against the fetched schema, an error, and a subscription over WebSockets.

`python gql_client.py URL PROJECT`, TOKEN in the environment.
"""

import asyncio
import os
import sys
from typing import Any

from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport

url, project = sys.argv[1:]
authorization = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
PATIENCE = 60  # seconds, on a machine that has other things to do
MESSAGES = """
query Messages($after: String) {
  messages(first: 3, after: $after) {
    nodes { id createdAt price } pageInfo { hasNextPage endCursor } totalCount
  }
}
"""
PROGRESS = "subscription Progress($id: ID) { sendingProjectProgress(id: $id) { uuid status } }"
NEXT = {
    "draft": "startSendingProject(id: $id) { id }",
    "running": "stopSendingProject(id: $id) { id }",
    "stopped": "deleteSendingProject(id: $id)",
}


def asking(document: str, **variables: Any) -> Any:
    request = gql(document)
    request.variable_values = variables
    return request


async def main() -> None:
    http = AIOHTTPTransport(url=f"{url}/graphql", headers=authorization)
    socket = WebsocketsTransport(
        url=f"{url.replace('http:', 'ws:')}/graphql",
        init_payload=authorization,
        subprotocols=["graphql-transport-ws"],
        connect_timeout=PATIENCE,
        ack_timeout=PATIENCE,
    )
    async with Client(transport=http, fetch_schema_from_transport=True, execute_timeout=PATIENCE) as session:
        rows: list[str] = []
        after, more = None, True
        while more:
            page = (await session.execute(asking(MESSAGES, after=after)))["messages"]
            rows += [node["id"] for node in page["nodes"]]
            after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        assert len(set(rows)) == len(rows) == page["totalCount"]

        try:
            await session.execute(asking("query($id: ID!) { message(id: $id) { id } }", id="nobody"))
        except TransportQueryError as error:
            assert error.errors is not None
            assert error.errors[0]["extensions"]["code"] == "bad_id", error.errors
        else:
            raise AssertionError("nobody's message was found")

        seen: list[str] = []
        async with Client(transport=socket) as listening:
            async for update in listening.subscribe(asking(PROGRESS, id=project)):
                status = update["sendingProjectProgress"]["status"]
                if status not in seen:
                    seen.append(status)
                    change = f"mutation($id: ID!) {{ {NEXT[status]} }}"
                    await session.execute(asking(change, id=project))
        assert seen == ["draft", "running", "stopped"], seen  # deleted: the subscription is complete
    print(len(rows))


asyncio.run(main())
