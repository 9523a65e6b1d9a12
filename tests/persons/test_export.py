"""An export of a person has what a search of the tables finds."""

import json

import pytest

from db.lists import PageArgs
from resolvers import exports
from runtime.services import Services
from shapes.exports import ExportLinkWhere
from tests.consent.made import contact
from tests.engine.test_stale_statistics import rows_read
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


_OTHERS = """
INSERT INTO export_links (id, owner_id, source, filters)
SELECT postern_uuid7(), $1, 'person', jsonb_build_object('contactUuid', gen_random_uuid()) FROM generate_series(1, 3000)
"""
_LINKS = "query($id: String!) { exportLinks(where: {contactId: {%s}}) { nodes { uuid } } }"


async def test_the_exports_of_a_person_are_found_among_many(services: Services, ada: Person, bob: Person):
    made = await contact(ada)
    link = (await ada.rest("POST", "/persons/export", json={"contactUuid": made})).json()["uuid"]
    await services.db.fetch(_OTHERS, ada.id)
    await services.db.fetch("ANALYZE export_links")
    for params in ({"contactId": made}, {"contactId": made, "source": "person"}):
        listed = (await ada.rest("GET", "/export-link", params=params)).json()["items"]
        assert [each["uuid"] for each in listed] == [link]
    for where in ("eq: $id", "in: [$id]"):
        assert await ada.data(_LINKS % where, {"id": made}) == {"exportLinks": {"nodes": [{"uuid": link}]}}
    assert (await bob.rest("GET", "/export-link", params={"contactId": made})).json()["items"] == []
    asked = ExportLinkWhere.model_validate({"contactId": {"eq": made}}).conditions()
    query, values = exports._LISTS.page_query(PageArgs(first=20), asked, (exports._MINE,), None)
    arguments = query.arguments(values | {"owner_id": ada.id})
    plan = await services.db.fetchval(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {query.sql}", *arguments)
    assert rows_read(json.loads(plan)[0]["Plan"] if isinstance(plan, str) else plan[0]["Plan"]) < 10
