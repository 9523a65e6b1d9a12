"""Several writers block one new address at the same moment: each succeeds, and there is one block."""

import asyncio
from typing import Any

import pytest

from core.ids import uuid7
from engine import blocks
from runtime.services import Services
from shapes.blocks import BlockReason
from tests.events.hooks import counts
from tests.events.test_replies import sms
from tests.support.people import Person
from tests.support.records import PHONE, Records, records
from tests.support.waits import until

__all__ = ["records"]

# Every insert stands still between its look for a conflicting row and its entry in the unique indexes: an index that
# is older than they are waits for the test.
HOLD = """
CREATE FUNCTION held(id uuid) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN id; END $$;
CREATE INDEX held ON blocked_phones (held(id));
"""
KEY_INDEX = "SELECT indexdef FROM pg_indexes WHERE indexname = 'uq_blocked_phones_key'"
WAITING = """
SELECT count(DISTINCT pid) FROM pg_locks
WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def at_once(services: Services, *calls: Any) -> list[Any]:
    """Runs the calls, each of which blocks an address, so that none finds the block of another."""
    async with services.db.reading() as db:
        again = await db.fetchval(KEY_INDEX)
        await db.execute(f"{HOLD} DROP INDEX uq_blocked_phones_key; {again}")
        async with db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock(77)")
            running = [asyncio.ensure_future(call) for call in calls]
            for _ in range(300):
                if await db.fetchval(WAITING) >= len(calls):
                    break
                await asyncio.sleep(0.01)
            else:
                raise AssertionError("some of the calls have not come to the block list")
    return await asyncio.gather(*running)


async def listed(person: Person) -> list[tuple[str, str]]:
    rows = (await person.rest("GET", "/block/list")).json()["items"]
    return [(row["phone"], row["reason"]) for row in rows]


async def test_two_calls(ada: Person, services: Services) -> None:
    answers = await at_once(services, *(ada.rest("POST", "/block/Anna@example.com") for _ in range(2)))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize("address", ["Anna@example.com", "+14155550199"])
async def test_two_requests_to_a_hook(ada: Person, services: Services, address: str) -> None:
    stop = {"event": "reply", "text": "STOP", "from": address}
    await at_once(services, counts(ada, stop), counts(ada, stop))
    assert await listed(ada) == [(address, "optOut")]


async def test_a_text_and_a_call(ada: Person, services: Services, records: Records) -> None:
    await records.make(ada)
    _, answer = await at_once(services, sms(services, "STOP"), ada.rest("POST", f"/block/{PHONE}"))
    assert answer.status_code == 200
    ((phone, _),) = await listed(ada)
    assert phone == PHONE
    assert await services.db.fetchval("SELECT count(*) FROM messages WHERE direction = 'inbound'") == 1


@pytest.mark.parametrize("way", ["block", "unblock", "end of a failure"])
async def test_thousands_at_once_and_one_after_the_other(ada: Person, services: Services, way: str) -> None:
    """They would wait for each other: each has an address that the other one wants next."""
    new = [blocks.NewBlock(f"+1415555{number:04}", None, "all") for number in range(1, 1_502)]
    first, last = new[0].address, new[-1].address

    async def many() -> tuple[int, int]:
        async with services.db.transaction() as db:
            return await blocks.block_many(db, ada.id, new)

    failure = uuid7()
    if way != "block":
        async with services.db.transaction() as db:
            await blocks.block_each(db, [(ada.id, last, BlockReason.hardBounce)], failures=[failure])
    async with services.db.transaction() as db:
        if way == "block":
            await blocks.block(db, ada.id, last, BlockReason.complaint)
        elif way == "unblock":
            assert await blocks.unblock_many(db, ada.id, [last]) == 1
        else:
            await blocks.end_blocks_of_failures(db, [(ada.id, last, failure)])
        running = asyncio.ensure_future(many())
        async with services.db.reading() as other:
            await until(lambda: other.fetchval(WAITING))
        await blocks.block(db, ada.id, first, BlockReason.complaint)
    assert await running == (1_499 if way == "block" else 1_500, 0)
    assert await services.db.fetchval("SELECT count(*) FROM blocked_phones") == 1_501
