"""Every list can be read from either end, and has conditions that suit it."""

from typing import Any

import pytest
from graphql import GraphQLObjectType, get_named_type

from runtime.services import Services
from tests.connections.conftest import Rows
from tests.message_records.rows import messages, project, recipient
from tests.support.described import printed_schema
from tests.support.people import Person

WHOLE = printed_schema()


def connections() -> dict[str, Any]:
    return {
        f"{name}.{field_name}": field
        for name, kind in WHOLE.type_map.items()
        if isinstance(kind, GraphQLObjectType)
        for field_name, field in kind.fields.items()
        if get_named_type(field.type).name.endswith("Connection")
    }


@pytest.mark.parametrize("argument", ["orderBy", "where"])
def test_every_connection_takes(argument: str) -> None:
    fields = connections()
    assert len(fields) > 40
    assert [name for name, field in fields.items() if argument not in field.args] == []


def test_whatever_has_an_id_is_a_node() -> None:
    """Caches of clients take `id` for the key of a row, unique in the whole graph."""
    without = [
        name
        for name, kind in WHOLE.type_map.items()
        if isinstance(kind, GraphQLObjectType)
        and "id" in kind.fields
        and "Node" not in {interface.name for interface in kind.interfaces}
    ]
    assert without == []


async def pages(who: Person, field: str, shown: str, direction: str) -> list[str]:
    """Reads all rows two at a time, forwards and then backwards, and checks that they are the same."""
    ahead: list[str] = []
    cursor = None
    name = field.partition("(")[0]
    more = field[field.find("(") + 1 : -1] + "," if "(" in field else ""
    for step in ("first:2,after", "last:2,before"):
        ids: list[str] = []
        cursor = None
        while True:
            arguments = f"{step}:{f'{chr(34)}{cursor}{chr(34)}' if cursor else 'null'}"
            query = f"{{{name}({more}{arguments},orderBy:{{direction:{direction}}}){{nodes{{{shown}}}"
            query += "pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}"
            page = (await who.data(query))[name]
            info, rows = page["pageInfo"], [str(row[shown]) for row in page["nodes"]]
            ids = ids + rows if "first" in step else rows + ids
            cursor = info["endCursor"] if "first" in step else info["startCursor"]
            if not info["hasNextPage" if "first" in step else "hasPreviousPage"]:
                break
        if "first" in step:
            ahead = ids
    assert ids == ahead
    return ahead


async def test_from_either_end(ada: Person, admin: Person, services: Services, rows: Rows) -> None:
    project_id = await project(services, ada)
    await project(services, ada, name="another")
    await messages(services, ada, project_id, *({"to": f"+1415555010{n}"} for n in range(5)))
    for n in range(5):
        await recipient(services, project_id, f"+1415555010{n}")
        assert (await ada.rest("PUT", f"/storage/key{n}", json={"value": n})).status_code < 300
        body = {"to": f"+1415555010{n}", "channel": "sms", "body": "hi"}
        assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
        await rows.block(ada, f"+1415555010{n}")
    for field, shown in (
        ("messageRecords", "to"),
        (f'recipients(sendingProjectId:"{project_id}")', "address"),
        ("storageValues", "key"),
        ("messages", "to"),
        ("blockedPhones", "phone"),
        ("users", "email"),
    ):
        who = admin if field == "users" else ada
        up = await pages(who, field, shown, "asc")
        assert await pages(who, field, shown, "desc") == up[::-1]
        assert len(up) > 1 and (field == "users" or up == sorted(up)), field


async def test_conditions_of_lists_that_had_none(ada: Person, services: Services) -> None:
    body = {"to": "+14155550100", "channel": "sms", "body": "hi"}
    assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
    await project(services, ada, name="spring")
    await project(services, ada, name="autumn", channel="email")
    query = """{
      accounts{nodes{ledger(where:{kind:{eq:charge}}){nodes{kind}}}}
      statisticsList(where:{name:{contains:"SPRING"}}){nodes{project{name}} totalCount}
      tariffs(where:{public:{eq:true},code:{in:["free","none"]}}){nodes{public}}
    }"""
    data = await ada.data(query)
    assert data["accounts"]["nodes"][0]["ledger"]["nodes"] == [{"kind": "charge"}]
    assert data["statisticsList"] == {"nodes": [{"project": {"name": "spring"}}], "totalCount": 1}
    assert all(node["public"] for node in data["tariffs"]["nodes"])
