"""Events about contacts: single ones, many at once, and those of imports."""

from typing import Any

from runtime.services import Services
from tests.contact_imports.test_contact_imports import LIST, start, upload
from tests.event_feed.test_event_feed import opened, read
from tests.imports.conftest import Lists, lists
from tests.support.people import Person

__all__ = ["lists"]

MAIL = {"channel": "email", "address": "anna@example.com"}


async def events(person: Person, after: str) -> list[tuple[str, str | None, Any]]:
    """The events about contacts: type, external id, and what they say besides."""
    page = await read(person, after)
    seen = [(event["type"], event["data"], event["subjectId"]) for event in page["events"]]
    assert all(data.pop("uuid") == subject for type, data, subject in seen if type.startswith("contact."))
    return [
        (type, data.pop("externalId"), *data.values())
        for type, data, _ in seen
        if type.startswith("contact.")
    ]


async def test_each_change_is_one_event_that_names_what_has_changed(ada: Person, bob: Person):
    after, of_bob = await opened(ada), await opened(bob)
    body = {"externalId": "1", "addresses": [MAIL], "fields": {"city": "Berlin"}, "createFields": True}
    anna = (await ada.rest("POST", "/contacts", json=body)).json()["id"]
    await ada.rest("POST", "/contacts", json=body)  # nothing has changed
    await ada.rest("POST", "/contacts", json={"externalId": "1", "name": "Anna", "fields": {"city": "Bonn"}})
    await ada.rest("PATCH", f"/contacts/{anna}", json={"addresses": [], "locale": "de"})
    await ada.rest("PATCH", f"/contacts/{anna}", json={"locale": "de"})
    other = (await ada.rest("POST", "/contacts", json={"externalId": "2", "addresses": [MAIL]})).json()["id"]
    await ada.rest("POST", f"/contacts/{anna}/merge", json={"otherUuid": other})
    await ada.rest("DELETE", f"/contacts/{anna}")
    assert await events(ada, after) == [
        ("contact.created", "1", ["externalId", "fields", "addresses"]),
        ("contact.changed", "1", ["name", "fields"]),
        ("contact.changed", "1", ["locale", "addresses"]),
        ("contact.created", "2", ["externalId", "addresses"]),
        ("contact.deleted", "2", anna),
        ("contact.changed", "1", ["addresses"]),
        ("contact.deleted", "1", None),
    ]
    assert await events(bob, of_bob) == []


async def test_an_event_has_no_value_of_a_person(ada: Person):
    after = await opened(ada)
    body = {"externalId": "1", "name": "Anna Berg", "addresses": [MAIL], "fields": {"city": "Berlin"}}
    await ada.rest("POST", "/contacts", json={**body, "createFields": True})
    text = str(await read(ada, after))
    assert not any(value in text for value in ("Anna", "Berlin", "anna@example.com"))


async def test_imports_and_many_at_once_tell_of_each(ada: Person, lists: Lists, services: Services):
    await ada.rest("POST", "/contacts", json={"externalId": "0"})
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox") == 0, "nobody listens"
    after = await opened(ada)
    rows = [{"externalId": str(number)} for number in range(3)]
    await ada.rest("POST", "/contacts/bulk", json={"contacts": [*rows, {"externalId": "2", "name": "Carl"}]})
    file = await upload(ada, LIST)
    for _ in range(2):
        await lists.read(ada, await start(ada, fileUuid=file, createFields=True))
    assert [(type, external) for type, external, *_ in await events(ada, after)] == [
        ("contact.created", "1"),
        ("contact.created", "2"),
        ("contact.created", "c1"),
        ("contact.created", "c2"),
    ]
