"""An export of a person shows what its caller may read, and an erasure needs to change all that it erases."""

import json
from typing import Any

import pytest

from engine.persons.registry import ALL
from engine.persons.rights import OF
from runtime.permissions import ROLES, SCOPES
from runtime.services import Services
from shapes.users import Role
from tests.api_tokens.made import caller, made
from tests.exports.conftest import Exports, written
from tests.imports.conftest import Lists, lists
from tests.members.made import joined
from tests.persons.test_erasing import fill, rich
from tests.support.people import Person

__all__ = ["lists", "rich", "written"]

ERASE = "mutation($i:ErasePerson!){erasePerson(input:$i){uuid}}"
WRITES = [
    "blocks:write", "contacts:write", "events:write", "exports:write", "files:write", "messages:send",
    "messengers:write", "recipients:write", "verifications:write",
]  # fmt: skip


def test_every_table_names_its_permissions():
    assert {rows.table for rows in ALL} == {*OF}


async def exported(person: Person, written: Exports, id: str) -> dict[str, list[Any]]:
    answer = await person.rest("POST", "/persons/export", json={"contactUuid": id})
    assert answer.status_code == 201, answer.text
    await written.write(answer.json())
    shown: dict[str, list[Any]] = {}
    for line in (await written.fetched(person, answer.json())).splitlines():
        each = json.loads(line)
        shown.setdefault(each["table"], []).append(each["row"])
    return shown


async def test_a_narrow_token_exports_its_own_tables_and_names_the_others(
    services: Services, rich: Person, lists: Lists, written: Exports
):
    id = await fill(services, rich, lists)
    whole = await exported(rich, written, id)
    assert "leftOut" not in whole and {"messages", "blocked_phones"} <= {*whole}
    token, _ = await made(rich, scopes=["exports:write", "exports:read", "contacts:read"])
    shown = await exported(caller(rich, token), written, id)
    (left_out,) = shown.pop("leftOut")
    assert {*shown} <= {table for table, (read, _) in OF.items() if read in ("contacts:read", "exports:read")}
    assert {"contacts", "contact_addresses"} <= {*shown}
    assert left_out["messages"] == ["messages:read"] and left_out["blocked_phones"] == ["blocks:read"]
    assert left_out["webhook_deliveries"] == ["events:read", "messengers:read"]
    assert {*whole} <= {*shown, *left_out}


@pytest.mark.parametrize("without", [*WRITES[1:], WRITES[0]])
async def test_an_erasure_needs_every_permission_to_change_what_it_erases(ada: Person, without: str):
    scopes = [each.value for each in ROLES[Role.user] & SCOPES if each.value != without]
    token, _ = await made(ada, scopes=scopes)
    body = {"channel": "email", "address": "ann@example.com"}
    answer = await caller(ada, token).rest("POST", "/persons/erase", json=body)
    assert (answer.status_code, answer.json()["details"]["permission"]) == (403, without)
    assert without in answer.json()["message"]
    assert await caller(ada, token).code(ERASE, {"i": body}) == "forbidden"


async def test_all_lacking_permissions_are_named(ada: Person):
    token, _ = await made(ada, scopes=["contacts:write"])
    body = {"channel": "email", "address": "ann@example.com"}
    answer = await caller(ada, token).rest("POST", "/persons/erase", json=body)
    assert answer.status_code == 403
    assert answer.json()["details"]["permissions"] == [each for each in WRITES if each != "contacts:write"]
    token, _ = await made(ada, scopes=WRITES)
    assert (await caller(ada, token).rest("POST", "/persons/erase", json=body)).status_code == 202


async def test_a_manager_erases_and_an_editor_does_not(ada: Person, bob: Person):
    body = {"channel": "email", "address": "ann@example.com"}
    editor, id = await joined(ada, bob, "editor")
    answer = await editor.rest("POST", "/persons/erase", json=body)
    assert answer.status_code == 403
    assert answer.json()["details"]["permissions"] == [
        "events:write", "messages:send", "messengers:write", "verifications:write",
    ]  # fmt: skip
    await ada.rest("PATCH", f"/members/{id}", json={"role": "manager"})
    assert (await editor.rest("POST", "/persons/erase", json=body)).status_code == 202
