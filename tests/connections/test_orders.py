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
    found = connections()
    assert len(found) > 40
    assert [name for name, field in found.items() if argument not in field.args] == []


def test_whatever_has_an_id_is_a_node() -> None:
    """Caches of clients take `id` for the key of a row, unique in the whole graph."""
    without = [
        name
        for name, kind in WHOLE.type_map.items()
        if isinstance(kind, GraphQLObjectType)
        and "id" in kind.fields
        and "Node" not in {one.name for one in kind.interfaces}
    ]
    assert without == []


async def pages(who: Person, field: str, shown: str, direction: str) -> list[str]:
    """Reads all rows two at a time, forwards and then backwards, and checks that they are the same."""
    ahead: list[str] = []
    cursor = None
    name = field.partition("(")[0]
    more = field[field.find("(") + 1 : -1] + "," if "(" in field else ""
    for step in ("first:2,after", "last:2,before"):
        found: list[str] = []
        cursor = None
        while True:
            given = f"{step}:{f'{chr(34)}{cursor}{chr(34)}' if cursor else 'null'}"
            asked = f"{{{name}({more}{given},orderBy:{{direction:{direction}}}){{nodes{{{shown}}}"
            asked += "pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}"
            page = (await who.data(asked))[name]
            info, rows = page["pageInfo"], [str(row[shown]) for row in page["nodes"]]
            found = found + rows if "first" in step else rows + found
            cursor = info["endCursor"] if "first" in step else info["startCursor"]
            if not info["hasNextPage" if "first" in step else "hasPreviousPage"]:
                break
        if "first" in step:
            ahead = found
    assert found == ahead
    return ahead


async def test_from_either_end(ada: Person, admin: Person, services: Services, rows: Rows) -> None:
    one = await project(services, ada)
    await project(services, ada, name="another")
    await messages(services, ada, one, *({"to": f"+1415555010{n}"} for n in range(5)))
    for n in range(5):
        await recipient(services, one, f"+1415555010{n}")
        assert (await ada.rest("PUT", f"/storage/key{n}", json={"value": n})).status_code < 300
        body = {"to": f"+1415555010{n}", "channel": "sms", "body": "hi"}
        assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
        await rows.block(ada, f"+1415555010{n}")
    for field, shown in (
        ("messageRecords", "to"),
        (f'recipients(sendingProjectId:"{one}")', "address"),
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
    asked = """{
      accounts{nodes{ledger(where:{kind:{eq:charge}}){nodes{kind}}}}
      statisticsList(where:{name:{contains:"SPRING"}}){nodes{project{name}} totalCount}
      tariffs(where:{public:{eq:true},code:{in:["free","none"]}}){nodes{public}}
    }"""
    found = await ada.data(asked)
    assert found["accounts"]["nodes"][0]["ledger"]["nodes"] == [{"kind": "charge"}]
    assert found["statisticsList"] == {"nodes": [{"project": {"name": "spring"}}], "totalCount": 1}
    assert all(node["public"] for node in found["tariffs"]["nodes"])
