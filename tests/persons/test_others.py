"""Rows that an erasure must not touch, and those that come while it runs."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from core.ids import uuid7
from engine.persons import erasing
from engine.persons.finding import PersonalDatum, person_of
from runtime.services import Services
from tests.consent.made import contact
from tests.imports.conftest import Lists, lists
from tests.persons.test_erasing import MAIL, erase
from tests.support.people import Person

__all__ = ["lists"]

_QUEUED = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to") VALUES ($1, $2, $3, 'email', $4) RETURNING id
"""


async def test_an_external_id_is_not_looked_for_in_the_data_of_others(
    services: Services, ada: Person, lists: Lists
):
    made = await contact(ada, MAIL, externalId="42")
    listed = "phone,name,age\n+14155550188,Bert,42\n"
    await lists.read(ada, await lists.upload(ada, listed))
    await contact(ada, "bert@example.com", fields={"age": "42"}, createFields=True)
    shown = await erase(services, ada, contactUuid=made)
    assert (shown["state"], shown["deleted"]) == ("done", [])
    assert await services.db.fetchval("SELECT count(*) FROM import_rows") == 1
    assert await services.db.fetchval("SELECT name FROM import_rows") == "Bert"
    assert await services.db.fetchval("SELECT count(*) FROM contacts") == 1


def test_texts_that_may_be_anything_are_no_patterns():
    every = [
        PersonalDatum("address", "anna@example.com"), PersonalDatum("address", "+14155550187"),
        PersonalDatum("address", "@anna"), PersonalDatum("address", "123456"), PersonalDatum("other", "email"),
        PersonalDatum("thread", "4711"), PersonalDatum("thread", "14155550187@c.us"),
    ]  # fmt: skip
    person = person_of(uuid4(), None, every, [])
    assert person.patterns == [
        '%"anna@example.com"%', '%"+14155550187"%', '%"@anna"%', '%"14155550187@c.us"%'
    ]  # fmt: skip
    assert "123456" in person.keys and "123456" not in person.texts and "email" not in person.keys


async def test_another_spelling_of_the_address_in_json_is_found(services: Services, ada: Person):
    made = await contact(ada, MAIL)
    await services.db.fetch(
        "INSERT INTO early_reports (scope, key, event, by_hook)"
        " VALUES ($1, 'x', jsonb_build_object('to', $2::text), true)",
        f"owner:{ada.id}", MAIL.replace("anna", "Anna"),
    )  # fmt: skip
    assert (await erase(services, ada, contactUuid=made))["counts"]["early_reports"] == 1


async def test_a_message_that_is_queued_meanwhile_is_canceled(
    services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    """As a project does whose recipients are being made into messages."""
    made, step, queued = await contact(ada, MAIL), erasing._step, list[UUID]()
    project = await ada.rest("POST", "/sending-project", json={"name": "x", "channel": "email"})

    async def and_then_one_is_queued(*arguments: Any) -> int:
        count = await step(*arguments)
        if not queued and arguments[3].kind == "contacts":
            id = uuid7()
            await services.db.fetch(_QUEUED, id, UUID(project.json()["uuid"]), ada.id, MAIL)
            queued.append(id)
        return count

    monkeypatch.setattr(erasing, "_step", and_then_one_is_queued)
    assert (await erase(services, ada, contactUuid=made))["state"] == "done"
    row = await services.db.fetchrow(
        'SELECT status, "to", failure_code FROM message_records WHERE id = $1', queued[0]
    )
    assert (row["status"], row["to"], row["failure_code"]) == ("canceled", "erased", "person_erased")
