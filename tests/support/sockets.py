"""A WebSocket to the application without a socket: ASGI's messages, and graphql-transport-ws on them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson

from tests.support.waits import PATIENCE

PROTOCOL = "graphql-transport-ws"


class Closed(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


class Socket:
    def __init__(self) -> None:
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reads = True

    async def _put(self, message: dict[str, Any]) -> None:
        if not self._reads:
            await asyncio.Event().wait()
        await self._outbox.put(message)

    def stop_reading(self) -> None:
        """Makes everything that is sent to the socket from now on wait."""
        self._reads = False

    async def raw(self, text: str | None = None, **message: Any) -> None:
        await self._inbox.put({"type": "websocket.receive", "text": text, **message})

    async def send(self, **message: Any) -> None:
        await self.raw(orjson.dumps(message).decode())

    async def event(self) -> dict[str, Any]:
        """The next thing that the application does."""
        async with asyncio.timeout(PATIENCE):
            return await self._outbox.get()

    async def receive(self) -> dict[str, Any]:
        """The next message. Raises Closed."""
        event = await self.event()
        if event["type"] == "websocket.close":
            raise Closed(event["code"], event.get("reason") or "")
        assert event["type"] == "websocket.send", event
        message: dict[str, Any] = orjson.loads(event["text"])
        return message

    async def begin(self, authorization: str | None = None) -> None:
        """Raises Closed when it is refused."""
        await self.send(
            type="connection_init", payload={"Authorization": authorization} if authorization else {}
        )
        assert await self.receive() == {"type": "connection_ack"}

    async def subscribe(self, query: str, variables: Any = None, id: str = "1") -> None:
        await self.send(type="subscribe", id=id, payload={"query": query, "variables": variables})

    async def next(self, id: str = "1") -> dict[str, Any]:
        """The next payload of a subscription; of an `error` as {"errors": …}."""
        message = await self.receive()
        assert message["id"] == id, message
        if message["type"] == "error":
            return {"data": None, "errors": message["payload"]}
        assert message["type"] == "next", message
        payload: dict[str, Any] = message["payload"]
        return payload


@asynccontextmanager
async def connected(
    app: Any, *, headers: dict[str, str] | None = None, protocols: tuple[str, ...] = (PROTOCOL,)
) -> AsyncIterator[Socket]:
    """A socket at /graphql, accepted or not: the first `event` tells which."""
    socket = Socket()
    await socket._inbox.put({"type": "websocket.connect"})
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": "/graphql",
        "raw_path": b"/graphql",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()],
        "client": ("127.0.0.1", 50000),
        "server": ("postern.test", 80),
        "subprotocols": list(protocols),
        "extensions": {"websocket.http.response": {}},
    }
    running = asyncio.create_task(app(scope, socket._inbox.get, socket._put))
    try:
        yield socket
    finally:
        await socket._inbox.put({"type": "websocket.disconnect", "code": 1001})
        async with asyncio.timeout(PATIENCE):
            await running


@asynccontextmanager
async def live(app: Any, authorization: str | None, **options: Any) -> AsyncIterator[Socket]:
    """Yields a socket that is accepted and authenticated. Raises Closed when it is refused."""
    async with connected(app, **options) as socket:
        assert (await socket.event())["type"] == "websocket.accept"
        await socket.begin(authorization)
        yield socket
