"""The last position of a feed is that of its last event: the feed's row does not change with each event."""

import asyncio

import asyncpg
import pytest

from engine.feed import event_feed, rounds
from engine.feed.event_feed import Bounds
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person
from tests.support.waits import until

_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)
VALUES (gen_random_uuid(), $1, $2, 'p', 'sms', 'running')
"""
_VERSION = "SELECT ctid::text FROM event_feeds WHERE owner_id = $1"
_POSITIONS = "SELECT array_agg(position ORDER BY position) FROM events WHERE owner_id = $1"


async def block(services: Services, person: Person, number: int) -> None:
    await services.db.fetch(_BLOCK, person.id, f"+1 {number}")


async def test_the_row_of_a_feed_has_no_new_version_for_its_events(ada: Person, services: Services):
    """Every message reads it, and while somebody holds a snapshot it would pass all versions."""
    cursor = await opened(ada)
    before = await services.db.fetchval(_VERSION, ada.id)
    for number in range(5):
        await block(services, ada, number)
        page = await read(ada, cursor)
        assert len(page["events"]) == 1
        cursor = page["next"]
    await block(services, ada, 5)
    await rounds.maintain(services)
    assert await services.db.fetchval(_VERSION, ada.id) == before
    assert await services.db.fetchval(_POSITIONS, ada.id) == [1, 2, 3, 4, 5, 6]


async def test_nor_for_the_progress_of_projects(ada: Person, services: Services):
    await opened(ada)
    before = await services.db.fetchval(_VERSION, ada.id)
    await services.db.fetch(_PROJECT, ada.id, ada.account_id)
    await services.db.fetch("UPDATE event_feed_progress SET progress_at = now() - interval '2 seconds'")
    await rounds.record_progress(services)
    recent = "SELECT progress_at > now() - interval '1 second' FROM event_feed_progress WHERE owner_id = $1"
    assert await services.db.fetchval(recent, ada.id)
    assert await services.db.fetchval(_VERSION, ada.id) == before


async def test_a_holder_of_the_lock_that_saw_an_older_end_goes_on_behind_the_newer(
    ada: Person, services: Services
):
    """The statement that locks the row began before the last holder has committed."""
    await opened(ada)
    async with services.db.reading() as db:
        old = await event_feed.get(db, ada.id)
    assert old is not None
    await block(services, ada, 0)
    await read(ada)
    await block(services, ada, 1)
    async with services.db.transaction() as db:
        await event_feed.lock(db, ada.id)
        await event_feed.store_positions(db, old)
    assert old.last_position == 2
    assert await services.db.fetchval(_POSITIONS, ada.id) == [1, 2]


async def test_one_that_waits_for_the_lock_sees_what_its_last_holder_has_done(
    ada: Person, services: Services, database: str
):
    await opened(ada)
    await block(services, ada, 0)
    first, second = [await asyncpg.connect(database) for _ in range(2)]
    async with second.transaction():
        transaction = first.transaction()
        await transaction.start()
        feed = await event_feed.lock(first, ada.id)
        assert feed is not None
        await event_feed.store_positions(first, feed)
        waiting = asyncio.create_task(event_feed.lock(second, ada.id))
        waits = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $1"
        await until(lambda: services.db.fetchval(waits, second.get_server_pid()))
        await transaction.commit()
        feed = await waiting
    assert feed is not None
    assert feed.last_position == 1
    await first.close()
    await second.close()


async def test_positions_go_on_when_all_events_are_deleted(ada: Person, services: Services):
    await opened(ada)
    for number in range(3):
        await block(services, ada, number)
    cursor = (await read(ada))["next"]
    async with services.db.transaction() as db:
        feed = await event_feed.lock(db, ada.id)
        assert feed is not None
        await event_feed.prune(db, feed, Bounds(0, rounds.UNUSED))
    assert await services.db.fetchval(_POSITIONS, ada.id) is None
    await block(services, ada, 3)
    page = await read(ada, cursor)
    assert [event["data"]["phone"] for event in page["events"]] == ["+1 3"]
    assert await services.db.fetchval(_POSITIONS, ada.id) == [4]


async def test_a_feed_that_is_closed_and_opened_goes_on_behind_its_last_event(
    ada: Person, services: Services
):
    await opened(ada)
    await block(services, ada, 0)
    await read(ada)
    async with services.db.transaction() as db:
        await event_feed.lock(db, ada.id)
        await event_feed.stop(db, ada.id)
    await rounds.maintain(services)
    assert await services.db.fetchval(_POSITIONS, ada.id) is None
    cursor = await opened(ada)
    await block(services, ada, 1)
    assert [event["data"]["phone"] for event in (await read(ada, cursor))["events"]] == ["+1 1"]
    assert await services.db.fetchval(_POSITIONS, ada.id) == [2]


async def test_a_full_feed_is_cut_back_when_it_has_a_hundredth_too_much(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    """Each deletion writes the feed's row."""
    await opened(ada)
    monkeypatch.setattr(event_feed, "bounds", lambda _: Bounds(200, rounds.UNUSED))
    counts = []
    for number in range(203):
        await block(services, ada, number)
        if number >= 200:
            await read(ada)
            counts.append(
                await services.db.fetchval("SELECT count(*) FROM events WHERE owner_id = $1", ada.id)
            )
    assert counts == [201, 202, 200]
    await block(services, ada, 203)
    await rounds.maintain(services)
    assert await services.db.fetchval("SELECT count(*) FROM events WHERE owner_id = $1", ada.id) == 200


async def test_the_position_of_a_deleted_event_is_never_given_again(ada: Person, services: Services):
    """The erasure of a person deletes events from the midst of a feed, and its last one, too."""
    await opened(ada)
    for number in range(3):
        await block(services, ada, number)
    cursor = (await read(ada))["next"]
    await services.db.fetch("DELETE FROM events WHERE owner_id = $1 AND position IN (1, 3)", ada.id)
    assert (await read(ada, cursor))["next"] == cursor
    await block(services, ada, 3)
    assert len((await read(ada, cursor))["events"]) == 1
    assert await services.db.fetchval(_POSITIONS, ada.id) == [2, 4]
