"""A person is erased: nothing is left in tables and files, nothing is sent, and others keep what they have."""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from core.settings import Settings
from engine.persons import erasing
from runtime.services import Services
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.consent.test_signups import form, sign_up
from tests.event_feed.test_event_feed import opened, read
from tests.imports.conftest import Lists, lists
from tests.support.people import People, Person
from tests.support.redis_search import keys_with

__all__ = ["lists"]

MAIL, PHONE, NAME, TEXT = "anna.berg@example.com", "+14155550187", "Annabergova", "Annas-own-words"
NEEDLES = (MAIL, PHONE, NAME, TEXT)
_TABLES = """
SELECT c.oid::regclass::text AS name FROM pg_class AS c WHERE c.relkind = 'r'
  AND c.relnamespace = 'public'::regnamespace
"""


async def dump(services: Services, needles: tuple[str, ...] = NEEDLES) -> dict[str, int]:
    """The rows of each table that have one of the texts; `files` are the stored files."""
    hits = dict[str, int]()
    for row in await services.db.fetch(_TABLES):
        lines = await services.db.fetch(f"SELECT t::text AS line FROM {row['name']} AS t")
        raw = [line["line"] + _hex(line["line"]) for line in lines]
        if count := sum(any(needle in line for needle in needles) for line in raw):
            hits[row["name"]] = count
    return hits


def _hex(line: str) -> str:
    """The bytea values of a row as text."""
    parts = [part for part in line.replace('"', ",").split(",") if part.startswith("\\\\x")]
    return "".join(bytes.fromhex(part[3:].strip(")")).decode("utf-8", "replace") for part in parts)


def stored_files(folder: Path) -> int:
    """The number of files below a folder that have one of the texts."""
    return sum(
        any(needle.encode() in path.read_bytes() for needle in NEEDLES)
        for path in folder.rglob("*")
        if path.is_file()
    )


async def erase(services: Services, person: Person, expected: int = 202, **body: Any) -> Any:
    """Asks for an erasure and runs it to its end."""
    answer = await person.rest("POST", "/persons/erase", json=body)
    assert answer.status_code == expected, answer.text
    if expected != 202:
        return answer.json()
    return await finished(services, person, answer.json()["id"])


async def finished(services: Services, person: Person, id: str) -> Any:
    for _ in range(100):
        await erasing.erase(services, UUID(id))
        shown = (await person.rest("GET", f"/persons/erasures/{id}")).json()
        if shown["state"] != "running":
            return shown
        await services.db.fetch("DELETE FROM leases WHERE name LIKE 'persons.erase%'")
        await asyncio.sleep(0.05)
    raise AssertionError(shown)


async def send(person: Person, to: str, channel: str = "email", expected: int = 202, **values: Any) -> Any:
    body = {"channel": channel, "to": to, "body": f"{NAME}: {TEXT}", **values}
    answer = await person.rest("POST", "/messages", json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


async def fill(services: Services, person: Person, lists: Lists) -> str:
    """Stores something of the person in many tables, and returns the uuid of the contact."""
    made = await contact(
        person,
        MAIL.title(),
        name=NAME,
        externalId="c-1",
        addresses=[{"channel": "sms", "address": PHONE}],
        fields={"note": TEXT},
        createFields=True,
    )
    news = await topic(person)
    await subscribe(person, [made], [news], evidence=f"{TEXT} of {MAIL}")
    await withdraw(person, [made], [news])
    await send(person, MAIL)
    await send(person, PHONE, "sms")
    answer = await person.rest("POST", f"/block/{MAIL}", json={"reason": "complaint"})
    assert answer.status_code in (200, 201), answer.text
    listed = f"phone,name,word\n{PHONE},{NAME},{TEXT}\n+14155550188,Bert,other\n"
    await lists.read(person, await lists.upload(person, listed))
    await services.db.fetch(
        "INSERT INTO address_health (owner_id, address, soft_bounces, last_soft_at) VALUES ($1, $2, '{}', now())",
        person.id, MAIL,
    )  # fmt: skip
    await services.db.fetch(
        "INSERT INTO early_reports (scope, key, event, by_hook) VALUES ($1, 'x', $2::text::jsonb, true)",
        f"owner:{person.id}", json.dumps({"to": PHONE, "text": TEXT}),
    )  # fmt: skip
    return made


@pytest.fixture
async def rich(people: People) -> Person:
    return await people.make(credit="100")


async def test_nothing_is_left(
    services: Services,
    settings: Settings,
    rich: Person,
    people: People,
    lists: Lists,
    client: httpx.AsyncClient,
):
    other = await people.make(credit="100")
    after = await opened(rich)
    id = await fill(services, rich, lists)
    await sign_up(client, await form(rich, [await topic(rich, "offers")]), email=MAIL, name=NAME)
    await send(other, PHONE, "sms")
    store = services.store.client
    await store.hset("a hash", mapping={"x": MAIL})
    assert await keys_with(store, NEEDLES) == [repr(b"a hash")]
    await store.delete("a hash")
    before = await dump(services)
    assert {"contacts", "contact_addresses", "messages", "import_rows", "events", "blocked_phones"} <= {
        *before, *(["events"] if "event_inbox" in before else [])
    }  # fmt: skip
    done = await erase(services, rich, channel="email", address=MAIL.upper())
    assert (done["state"], done["contactId"]) == ("done", id), done
    assert MAIL not in json.dumps(done)
    assert {each["kind"] for each in done["notErased"]} >= {"webhooks", "ledger", "backups"}
    assert [each["kind"] for each in done["deleted"]] in ([], ["import"])
    # What another owner has of the same person stays.
    rows = await services.db.fetch('SELECT owner_id FROM messages WHERE "to" = $1', PHONE)
    assert [row["owner_id"] for row in rows] == [other.id]
    await services.db.fetch("DELETE FROM messages WHERE owner_id = $1", other.id)
    assert await dump(services) == {}
    assert stored_files(settings.data_dir) == 0
    assert await keys_with(store, NEEDLES) == []
    page = await read(rich, after)
    assert [event["type"] for event in page["events"] if event["type"].startswith("contact.")] == [
        "contact.erased"
    ]
    assert (await rich.rest("GET", f"/contacts/{id}")).status_code == 404


async def test_a_blocked_address_stays_refused_and_another_is_a_new_person(
    services: Services, rich: Person, lists: Lists
):
    await fill(services, rich, lists)
    done = await erase(services, rich, channel="sms", address=PHONE)
    assert done["state"] == "done"
    refused = await send(rich, MAIL.upper(), expected=400)
    assert refused["code"] == "recipient_blocked"
    await send(rich, PHONE, "sms")
    again = await contact(rich, MAIL, name="Anew")
    assert again != done["contactId"]
    unblocked = await rich.rest("POST", f"/block/unblock/{MAIL}")
    assert unblocked.status_code < 300, unblocked.text
    await send(rich, MAIL)


async def test_queued_messages_are_canceled_and_paid_back(services: Services, rich: Person):
    balance = "SELECT balance FROM accounts WHERE owner_id = $1"
    whole = await services.db.fetchval(balance, rich.id)
    id = (await send(rich, PHONE, "sms"))["id"]
    assert await services.db.fetchval(balance, rich.id) < whole
    done = await erase(services, rich, channel="sms", address=PHONE)
    assert done["counts"]["messages"] == 1
    assert await services.db.fetchval(balance, rich.id) == whole
    row = await services.db.fetchrow('SELECT state, "to", body FROM messages WHERE id = $1', UUID(id))
    assert tuple(row) == ("canceled", "erased", "")


async def test_while_it_runs_nothing_is_accepted_and_asking_again_returns_it(
    services: Services, rich: Person
):
    made = await contact(rich, MAIL)
    first = (await rich.rest("POST", "/persons/erase", json={"contactUuid": made})).json()
    again = (await rich.rest("POST", "/persons/erase", json={"channel": "email", "address": MAIL})).json()
    assert first["id"] == again["id"]
    assert (await send(rich, MAIL, expected=400))["code"] == "recipient_blocked"
    assert (await finished(services, rich, first["id"]))["state"] == "done"
    await send(rich, MAIL)
    assert await services.db.fetchval("SELECT count(*) FROM erasure_addresses") == 0


async def test_others_see_nothing(services: Services, rich: Person, bob: Person, admin: Person):
    made = await contact(rich, MAIL)
    await erase(services, bob, 404, contactUuid=made)
    await erase(services, rich, 400, contactUuid=made, address=MAIL)
    done = await erase(services, admin, contactUuid=made)
    assert (await rich.rest("GET", f"/persons/erasures/{done['id']}")).status_code == 200
    assert (await bob.rest("GET", f"/persons/erasures/{done['id']}")).status_code == 404
    items = (await rich.rest("GET", "/persons/erasures")).json()["items"]
    assert [each["id"] for each in items] == [done["id"]]


async def test_consent_stays_append_only(services: Services, rich: Person):
    made = await contact(rich, MAIL)
    await subscribe(rich, [made], [await topic(rich)], evidence=MAIL)
    with pytest.raises(Exception, match="can be added only"):
        await services.db.fetch("UPDATE consent_entries SET evidence = NULL")
    await erase(services, rich, contactUuid=made)
    assert await services.db.fetchval("SELECT count(*) FROM consent_entries WHERE evidence IS NULL") == 1
