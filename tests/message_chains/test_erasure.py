"""Chains to a person who is erased, and chains that are older than the retention."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from engine import upkeep
from engine.persons import erasing
from engine.persons.finding import PersonalDatum, person_of
from runtime.services import Services
from tests.message_chains.made import EMAIL, MAIL, PHONE, SMS, Chains
from tests.persons.test_erasing import finished
from tests.support.people import Person

_TEXTS = """
SELECT string_agg(t, ' ') FROM (
  SELECT to_jsonb(m)::text FROM messages AS m UNION ALL SELECT to_jsonb(c)::text FROM message_chains AS c
) AS rows (t)
"""


@pytest.fixture
def chains(services: Services, ada: Person) -> Chains:
    return Chains(services, ada)


async def test_a_chain_to_an_erased_person_ends_and_names_nobody(chains: Chains, drain: Any):
    contact = await chains.person.rest(
        "POST", "/contacts", json={"externalId": "1", "addresses": [
            {"channel": "sms", "address": PHONE}, {"channel": "email", "address": EMAIL},
        ]},
    )  # fmt: skip
    id = await chains.send(SMS, MAIL)
    await drain("sms")
    await chains.step()
    begun = await chains.person.rest("POST", "/persons/erase", json={"contactUuid": contact.json()["id"]})
    assert begun.status_code < 300, begun.text
    await finished(chains.services, chains.person, begun.json()["id"])
    await chains.pass_time(61)
    await chains.step()
    assert await chains.states(id) == ["sent", None]
    text = await chains.services.db.fetchval(_TEXTS)
    assert PHONE not in text
    assert EMAIL not in text
    assert "424242" not in text
    shown = await chains.read(id)
    assert (shown["to"], shown["status"]) == ("erased", "sent")
    assert {step["to"] for step in shown["steps"]} == {"erased"}


async def test_the_steps_of_chains_are_read_once_for_all_messages_that_are_canceled(
    chains: Chains, monkeypatch: pytest.MonkeyPatch
):
    ran: list[str] = []
    execute = asyncpg.Connection.execute

    async def counted(self: Any, query: str, *args: Any, **more: Any) -> Any:
        ran.append(query)
        return await execute(self, query, *args, **more)

    monkeypatch.setattr(asyncpg.Connection, "execute", counted)
    id = await chains.send(SMS, MAIL)
    keys = [PHONE]
    person = person_of(UUID(str(chains.person.id)), None, [PersonalDatum("phone", PHONE)], keys)
    assert await erasing._cancel(chains.services, person) == 1
    assert ran.count(erasing._END_CHAINS) == 1
    await chains.step()
    assert await chains.states(id) == ["canceled", None]


async def test_retention_deletes_a_settled_chain_whole_and_no_other(chains: Chains, drain: Any):
    settled, waiting = await chains.send(SMS), await chains.send({**SMS, "to": "+14155550177"}, MAIL)
    await drain("sms")
    await chains.report(settled, 1)
    await chains.step()
    db = chains.services.db
    for table, column in (("messages", "id"), ("messages", "chain_id"), ("message_chains", "id")):
        await db.fetch(
            f"UPDATE {table} SET {column} = overlay({column}::text PLACING '0190' FROM 1 FOR 4)::uuid"
            f" WHERE {column} IS NOT NULL"
        )
    await db.fetch("UPDATE message_chains SET began_at = began_at - interval '2 days'")
    await upkeep.prune(db, 1)
    ids = await db.fetch("SELECT id, chain_id FROM messages")
    assert len(ids) == 2
    assert {str(row["chain_id"] or row["id"])[4:] for row in ids} == {waiting[4:]}
    assert await db.fetchval("SELECT count(*) FROM message_chains") == 1
