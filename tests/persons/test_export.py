"""An export of a person has what a search of the tables finds."""

import json

import pytest

from runtime.services import Services
from tests.exports.conftest import Exports, written
from tests.imports.conftest import Lists, lists
from tests.persons.test_erasing import MAIL, NEEDLES, PHONE, dump, erase, fill, rich
from tests.support.people import People, Person

__all__ = ["lists", "rich", "written"]

_RENAMED = {"event_inbox": "events"}


async def test_an_export_has_what_a_search_finds(
    services: Services, rich: Person, people: People, lists: Lists, written: Exports
):
    id = await fill(services, rich, lists)
    stored = {_RENAMED.get(name, name) for name in await dump(services)}
    answer = await rich.rest("POST", "/persons/export", json={"contactUuid": id})
    assert answer.status_code == 201, answer.text
    link = answer.json()
    await written.write(link)
    lines = [json.loads(line) for line in (await written.fetched(rich, link)).splitlines()]
    shown = {
        _RENAMED.get(line["table"], line["table"])
        for line in lines
        if any(needle in json.dumps(line) for needle in NEEDLES)
    }
    assert stored - {"users"} <= shown
    # It holds the person, so an erasure deletes it, too.
    done = await erase(services, rich, contactUuid=id)
    assert ["export" for each in done["deleted"] if each["kind"] == "export"] == ["export"]


@pytest.mark.parametrize("body", [{"contactUuid": "01890000-0000-7000-8000-000000000001"}])
async def test_unknown_people_are_not_found(bob: Person, body: dict[str, str]):
    assert (await bob.rest("POST", "/persons/export", json=body)).status_code == 404


async def test_another_owner_gets_nothing(
    services: Services, rich: Person, bob: Person, lists: Lists, written: Exports
):
    await fill(services, rich, lists)
    answer = await bob.rest("POST", "/persons/export", json={"channel": "email", "address": MAIL})
    await written.write(answer.json())
    content = (await written.fetched(bob, answer.json())).decode()
    assert PHONE not in content
    rest = [json.loads(line)["table"] for line in content.splitlines()]
    assert {*rest} <= {"export_links", "idempotency_keys"}
