"""Several writers block one new address at the same moment: each succeeds, and there is one block."""

import asyncio
from typing import Any

import pytest

from runtime.services import Services
from tests.events.hooks import counts
from tests.events.test_replies import sms
from tests.support.people import Person
from tests.support.records import PHONE, Records, records

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
