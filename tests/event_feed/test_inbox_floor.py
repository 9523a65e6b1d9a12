"""The number up to which the inbox is empty for good: looks begin there, and nothing is missed."""

from typing import Any

import asyncpg
import pytest

from engine.feed import event_feed, inbox_floor, rounds
from engine.feed.inbox_floor import inbox_floors
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person
from tests.support.waits import until

_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"
_READ = "SELECT pg_stat_get_xact_tuples_returned('pk_event_inbox'::regclass)"
_TAKEN = "SELECT last_value FROM event_inbox_seq_seq"
MANY = 300


async def advanced(services: Services, owner: Any) -> int:
    """Gives positions, and returns how many entries of the inbox's index were read for it."""
    async with services.db.transaction() as db:
        before = await db.fetchval(_READ)
        await event_feed.advance(db, services, owner)
        return int(await db.fetchval(_READ)) - before


async def test_a_look_does_not_pass_what_has_its_position(ada: Person, services: Services, database: str):
    """Somebody holds a snapshot, as a backup does."""
    cursor = await opened(ada)
    holder = await asyncpg.connect(database)
    await holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    await holder.fetchval("SELECT count(*) FROM users")
    for number in range(MANY):
        await services.db.fetch(_BLOCK, ada.id, f"+1 {number}")
    taken = await services.db.fetchval(_TAKEN)
    floor = inbox_floors(services).of(ada.id)

    async def is_behind_all() -> bool:
        await advanced(services, ada.id)
        return floor.seq >= taken

    await until(is_behind_all)  # transactions of other tests, on the same server, end first
    await services.db.fetch(_BLOCK, ada.id, "+1 last")
    assert await advanced(services, ada.id) < 20
    floor.seq = 0
    assert await advanced(services, ada.id) >= MANY  # else this test shows nothing
    events: list[Any] = []
    while page := await read(ada, cursor):
        events += page["events"]
        cursor = page["next"]
        if not page["events"]:
            break
    assert len(events) == MANY + 1
    await holder.close()


async def test_a_look_does_not_begin_behind_what_is_committed_late(
    ada: Person, services: Services, database: str
):
    await opened(ada)
    late = await asyncpg.connect(database)
    slow = late.transaction()
    await slow.start()
    await late.execute(_BLOCK, ada.id, "+1 late")  # takes its number first
    number = await services.db.fetchval(_TAKEN)
    floor = inbox_floors(services).of(ada.id)
    for other in range(20):
        await services.db.fetch(_BLOCK, ada.id, f"+1 {other}")
        await advanced(services, ada.id)
        assert floor.seq < number
    await slow.commit()
    await advanced(services, ada.id)
    last = "SELECT data ->> 'phone' FROM events WHERE owner_id = $1 ORDER BY position DESC LIMIT 1"
    assert await services.db.fetchval(last, ada.id) == "+1 late"

    async def is_behind_it() -> bool:
        await advanced(services, ada.id)
        return floor.seq >= number

    await until(is_behind_it)
    await late.close()


async def test_a_reader_that_began_before_says_nothing_about_later_writers(
    ada: Person, services: Services, database: str
):
    """Its id is smaller than that of a writer which has taken a number, so the writer may still be at work."""
    await opened(ada)
    reader, writer = await asyncpg.connect(database), await asyncpg.connect(database)
    early, slow = reader.transaction(), writer.transaction()
    await early.start()
    await reader.fetchval("SELECT pg_current_xact_id()::text")
    await slow.start()
    await writer.execute(_BLOCK, ada.id, "+1 slow")
    number = await services.db.fetchval(_TAKEN)
    floor = inbox_floors(services).of(ada.id)
    await services.db.fetch(_BLOCK, ada.id, "+1 first")
    await advanced(services, ada.id)  # reads the number
    await event_feed.advance(reader, services, ada.id)
    await early.commit()
    for other in range(5):
        await services.db.fetch(_BLOCK, ada.id, f"+1 {other}")
        await advanced(services, ada.id)
        assert floor.seq < number
    await slow.commit()
    await advanced(services, ada.id)
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox WHERE owner_id = $1", ada.id) == 0
    await reader.close()
    await writer.close()


async def test_a_backup_that_is_restored_begins_anew(ada: Person, services: Services):
    """Its numbers are smaller than those that were given before."""
    await opened(ada)
    floor = inbox_floors(services).of(ada.id)
    floor.seq = 10**9
    await services.db.fetch(_BLOCK, ada.id, "+1 restored")
    await advanced(services, ada.id)
    assert floor.seq < 10**9
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox WHERE owner_id = $1", ada.id) == 0


async def test_a_floor_that_is_too_high_is_forgotten_after_minutes(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    """The numbers have begun at a lower one, as after a failover to a server that was behind, and have passed it."""
    await opened(ada)
    await services.db.fetch(_BLOCK, ada.id, "+1 lost")
    floor = inbox_floors(services).of(ada.id)
    floor.seq = await services.db.fetchval(_TAKEN)
    in_inbox = "SELECT count(*) FROM event_inbox WHERE owner_id = $1"
    await rounds.maintain(services)
    await advanced(services, ada.id)
    assert await services.db.fetchval(in_inbox, ada.id) == 1
    monkeypatch.setattr(inbox_floor, "FORGET_SECONDS", 0)
    await rounds.maintain(services)
    assert await services.db.fetchval(in_inbox, ada.id) == 0
