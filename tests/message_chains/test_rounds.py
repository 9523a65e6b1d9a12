"""Rounds of the stepper that meet a chain which can't be taken on, or accounts that are locked."""

from time import monotonic
from typing import Any
from uuid import UUID

import pytest

from engine.chains import stepper
from runtime.services import Services
from tests.message_chains.made import MAIL, SMS, Chains
from tests.support.people import People, Person

pytestmark = pytest.mark.servers


@pytest.fixture
def chains(services: Services, ada: Person) -> Chains:
    return Chains(services, ada)


async def test_a_chain_that_cannot_be_taken_on_stops_no_other(chains: Chains, people: People, drain: Any):
    other = Chains(chains.services, await people.make(credit="1"))
    bad, good = await chains.send(SMS, MAIL), await other.send(SMS, MAIL)
    db = chains.services.db
    await db.fetch("UPDATE message_chains SET steps = '[{}]' WHERE id = $1", UUID(bad))
    await drain("sms")
    await chains.pass_time(61)
    await stepper.take_chains_on(chains.services)
    assert await other.states(good) == ["sent", "queued"]
    waits = await db.fetchval(
        "SELECT due_at BETWEEN now() + interval '50 s' AND now() + interval '1 min' FROM message_chains WHERE id = $1",
        UUID(bad),
    )
    assert waits
    assert await db.fetchval("SELECT count(*) FROM chain_signals") == 0


async def test_a_settled_chain_that_was_postponed_is_looked_at_once(chains: Chains, drain: Any):
    id = await chains.send(SMS)
    await drain("sms")
    await chains.report(id, 1)
    await chains.step()
    db = chains.services.db
    await db.fetch("UPDATE message_chains SET due_at = now()")
    assert await stepper.step_once(chains.services) == 1
    assert await stepper.step_once(chains.services) == 0


async def test_a_step_of_a_newer_version_is_read(chains: Chains, drain: Any):
    id = await chains.send(SMS, MAIL)
    await chains.services.db.fetch(
        "UPDATE message_chains SET steps = jsonb_set(steps, '{1,message,added_later}', '1')"
    )
    await chains.pass_time(61)
    await chains.step()
    assert await chains.states(id) == ["failed", "queued"]


async def test_locked_accounts_hold_a_round_up_for_two_seconds(
    services: Services, people: People, drain: Any
):
    locked = [Chains(services, await people.make(credit="1")) for _ in range(4)]
    free = Chains(services, await people.make(credit="1"))
    ids = [await each.send(SMS, MAIL) for each in [*locked, free]]
    await drain("sms")
    await free.pass_time(61)
    async with services.db.transaction() as db:
        await db.fetch(
            "SELECT FROM accounts WHERE id = ANY($1) FOR UPDATE", [each.person.account_id for each in locked]
        )
        began = monotonic()
        await stepper.step_once(services)
        assert monotonic() - began < 3
        assert await free.states(ids[-1]) == ["sent", "queued"]
        assert await locked[0].states(ids[0]) == ["sent", None]
    await free.pass_time(2)
    await stepper.step_once(services)
    for each, id in zip(locked, ids, strict=False):
        assert await each.states(id) == ["sent", "queued"]


async def test_the_lock_timeout_ends_with_its_savepoint(chains: Chains):
    db = chains.services.db
    async with db.transaction() as connection:
        before = await connection.fetchval("SHOW lock_timeout")
        row = await connection.fetchrow("SELECT $1::uuid AS account_id", chains.person.account_id)
        waiting = _Waiting(row)
        await stepper._lock_accounts(
            connection, [(waiting, stepper.Decision(begins=1))], set(), monotonic() + 1
        )
        assert not waiting.waits
        assert await connection.fetchval("SHOW lock_timeout") == before


class _Waiting:
    """Has what locking reads of a chain."""

    def __init__(self, row: Any) -> None:
        self.row, self.waits = row, False
