"""A worker publishes what happens: each event once, in order, and only what the sink asks for."""

import asyncio
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from engine.feed import event_feed
from engine.sinks import cursors, endpoints, publisher, reader, upkeep
from runtime.leases import leased
from shapes.users import UserStatus
from sinks.port import SinkFailed
from tests.sinks.world import STREAM, World
from tests.support.nats import running
from tests.support.people import People
from tests.support.waits import until

pytestmark = pytest.mark.timeout(90)


async def test_each_event_is_published_once_and_in_order(world: World):
    await world.blocks(5)  # before the sink
    sink = await world.sink()
    before = len(await world.feed())
    async with world.publishing():
        await world.blocks(1500, 100)
        await world.unblock()
        await world.published(sink, 3005)
        await world.blocks(1, 9000)  # while its connection is kept
        await world.published(sink, 3006)
    bodies = await world.stored()
    feed = (await world.feed())[before:]
    assert len(bodies) == len(feed) == 3006
    assert {body["id"] for body in bodies} == {str(row["id"]) for row in feed}
    status = await world.status(sink)
    assert (status.lag, status.published, status.missed, status.replaying) == (0, 3006, 0, False)
    assert 0 < status.rate_per_second <= 3006 / 60
    assert (await world.row(sink))["published_at"] is not None
    async with world.brokers.client() as client:
        last = await client.jetstream().get_last_msg(STREAM, f"postern.{world.ada.id}.block.added")
    assert last.headers["Nats-Msg-Id"] == bodies[-1]["id"]


async def test_a_body_is_what_the_feed_shows(world: World):
    sink = await world.sink()
    await world.blocks(1)
    async with world.publishing():
        await world.published(sink, 1)
    (body,) = await world.stored()
    epoch = await world.db.fetchval("SELECT epoch FROM event_feeds")
    before = event_feed.cursor_of(world.ada.id, epoch, 0)
    page = (await world.ada.rest("GET", "/events", params={"after": before})).json()
    assert body == page["events"][0]


async def test_types_leave_others_out_and_the_cursor_passes_them(world: World):
    sink = await world.sink(types=["block.removed"])
    await world.blocks(700)
    await world.unblock()
    async with world.publishing():
        await world.published(sink, 700)

        async def has_no_lag() -> bool:
            return (await world.status(sink)).lag == 0

        await until(has_no_lag)
    assert {body["type"] for body in await world.stored()} == {"block.removed"}


async def test_a_document_makes_the_body(world: World):
    query = "subscription { events { uuid type subjectId } }"
    sink = await world.sink(query=query, query_roles=["user"])
    await world.blocks(60)
    async with world.publishing():
        await world.published(sink, 60)
    bodies = await world.stored()
    assert {*bodies[0]["data"]["events"]} == {"uuid", "type", "subjectId"}
    assert len({body["data"]["events"]["uuid"] for body in bodies}) == 60


async def test_a_document_that_is_not_valid_any_more_switches_the_sink_off(world: World):
    sink = await world.sink(query="subscription { gone }", query_roles=["user"])
    await world.blocks(1)
    async with world.publishing():
        row = await world.becomes(sink, enabled=False)
    assert row["disabled_reason"].startswith("its document is not valid any more")
    assert (await world.status(sink)).lag == 1


async def test_what_the_feed_deletes_before_its_turn_is_counted(world: World):
    sink = await world.sink()
    await world.blocks(300)
    await world.feed()
    async with world.db.transaction() as connection:
        feed = await event_feed.lock(connection, world.ada.id)
        assert feed is not None
        await event_feed.prune(connection, feed, event_feed.Bounds(100, timedelta(days=1)))
    async with world.publishing():
        await world.published(sink, 100)
    assert (await world.status(sink)).missed == 200


async def test_a_feed_that_was_opened_anew_is_read_from_there(world: World):
    sink = await world.sink()
    await world.blocks(10)
    await world.feed()
    async with world.db.transaction() as connection:
        await event_feed.stop(connection, world.ada.id)
    await event_feed.newest(world.db, world.ada.id)
    await world.blocks(10, 100)
    async with world.publishing():
        await world.published(sink, 10)
        await asyncio.sleep(0.6)
    phones = {body["data"]["phone"] for body in await world.stored()}
    assert phones == {f"+1415{n:07}" for n in range(101, 111)}


async def test_a_replay_publishes_again_beside_new_events(world: World):
    sink = await world.sink(duplicate_window_seconds=1)
    await world.blocks(600)
    async with world.publishing():
        await world.published(sink, 600)
        await asyncio.sleep(1.5)  # the duplicate window is over
        async with world.db.transaction() as connection:
            assert await endpoints.replay(connection, sink, types=["block.added"]) == 600
            await endpoints.wake(connection, sink)
        await world.blocks(50, 1000)
        await world.published(sink, 1250)
    assert not (await world.status(sink)).replaying
    ids = [body["id"] for body in await world.stored()]
    assert (len(ids), len(set(ids))) == (1250, 650)


async def test_a_replay_from_a_position_and_of_other_types(world: World):
    sink = await world.sink()
    await world.blocks(40)
    async with world.publishing():
        await world.published(sink, 40)
    end = (await world.feed())[-1]["position"]
    for begin, types, count in ((end - 10, None, 10), (end, None, 0), (0, ["block.removed"], end)):
        async with world.db.transaction() as connection:
            assert await endpoints.replay(connection, sink, begin, types=types) == count
    async with world.publishing():

        async def is_over() -> bool:
            return not (await world.status(sink)).replaying

        await until(is_over)
    assert (await world.status(sink)).published == 40


async def test_a_body_beyond_the_limit_of_the_stream_has_no_data(world: World):
    async with world.brokers.client() as client:
        await client.jetstream().add_stream(name=STREAM, subjects=["postern.>"], max_msg_size=1000)
    sink = await world.sink()
    await world.blocks(1)
    await world.db.fetch(
        "INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)"
        " VALUES ($1, 'block.added', 'block', gen_random_uuid(), jsonb_build_object('phone', repeat('x', 5000)))",
        world.ada.id,
    )
    async with world.publishing():
        await world.published(sink, 2)
    small, large = await world.stored()
    assert "truncated" not in small
    assert (large["truncated"], large["data"]) == (True, {})


async def test_the_installation_publishes_the_events_of_all_users(world: World, people: People):
    bob, eve = await people.make(), await people.make()
    await event_feed.newest(world.db, bob.id)
    sink = await world.sink(installation=True)
    await world.blocks(5, who=bob.id)
    await upkeep.add_cursors(world.services)
    for person in (world.ada, eve):
        await event_feed.newest(world.db, person.id)
    await world.blocks(5, who=eve.id)
    late = await people.make()
    await upkeep.add_cursors(world.services)
    await event_feed.newest(world.db, late.id)
    await upkeep.add_cursors(world.services)
    await world.blocks(5, who=late.id)
    async with world.publishing():
        await world.published(sink, 15)
    async with world.brokers.client() as client:
        info = await client.jetstream().stream_info(STREAM, subjects_filter=">")
    assert info.state.subjects == {f"postern.{id}.block.added": 5 for id in (bob.id, eve.id, late.id)}


async def test_nothing_of_a_deleted_owner_stays(world: World, people: People):
    bob = await people.make()
    await world.sink(bob.id)
    whole = await world.sink(installation=True)
    mine = await world.sink()
    await world.db.fetch("UPDATE users SET status = $2 WHERE id = $1", bob.id, UserStatus.deleted.value)
    await upkeep.forget(world.services)
    assert {row["id"] for row in await world.db.fetch("SELECT id FROM event_sinks")} == {whole, mine}
    owners = await world.db.fetch("SELECT DISTINCT owner_id FROM event_sink_cursors")
    assert [row["owner_id"] for row in owners] == [world.ada.id]


async def test_nothing_of_a_suspended_owner_is_published(world: World):
    sink = await world.sink()
    await world.blocks(1)
    await world.db.fetch(
        "UPDATE users SET status = $2 WHERE id = $1", world.ada.id, UserStatus.suspended.value
    )
    async with world.publishing():
        await asyncio.sleep(1)
        assert (await world.status(sink)).published == 0
        await world.db.fetch(
            "UPDATE users SET status = $2 WHERE id = $1", world.ada.id, UserStatus.active.value
        )
        await world.published(sink, 1)


async def test_a_broker_that_is_away_is_told_once_and_so_is_its_return(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(publisher, "PAUSES", (timedelta(seconds=0.1),))
    sink = await world.sink()
    world.brokers.nodes[0].kill()
    await world.blocks(10)

    async def has_failed() -> bool:
        return bool((await world.row(sink))["failures"] >= 5)

    async with world.publishing():
        await until(has_failed)
        row = await world.row(sink)
        assert "refuses connections" in row["last_error"]
        assert row["failing_since"] is not None
        world.brokers.start(world.brokers.nodes[0])
        row = await world.becomes(sink, failures=0, last_error=None, failing_since=None)
        await world.published(sink, 12)
    feed = await world.feed()
    assert [row["type"] for row in feed if row["subject"] == "eventSink"] == [
        "sink.failing",
        "sink.recovered",
    ]
    await world.compare()


async def test_a_cursor_moves_under_the_lease_alone(world: World):
    sink = await world.sink()
    await world.blocks(1)
    name = f"{cursors.LEASE}{sink}"
    async with leased(world.db, name, 30) as lease:
        assert lease is not None
        (cursor,) = await cursors.of_sink(world.db, sink, installation=False)
        reached = cursors.Reached(cursor.position, cursor.position + 1, 1, cursor.epoch)
        await world.db.fetch("UPDATE leases SET holder = gen_random_uuid() WHERE name = $1", name)
        assert not await cursors.store(world.db, lease, cursor, reached, 0)
        await cursors.failed(world.db, lease, await cursors.source(world.db, sink), "broken", timedelta(1))
    assert (await world.row(sink))["failures"] == 0
    assert (await world.status(sink)).published == 0


@pytest.mark.parametrize(
    ("change", "moves"), [("version = 1", False), ("enabled = false", False), ("name = 'x'", True)]
)
async def test_a_cursor_moves_only_for_the_settings_that_events_were_read_for(
    change: str, moves: bool, world: World
):
    sink = await world.sink()
    await world.blocks(1)
    async with leased(world.db, f"{cursors.LEASE}{sink}", 30) as lease:
        assert lease is not None
        (cursor,) = await cursors.of_sink(world.db, sink, installation=False)
        row = await cursors.source(world.db, sink)
        reached = cursors.Reached(cursor.position, cursor.position + 1, 1, cursor.epoch)
        await world.db.fetch(
            f"UPDATE event_sinks SET {change.replace('= 1', f'= {row.version + 1}')} WHERE id = $1", sink
        )
        assert await cursors.store(world.db, lease, cursor, reached, row.version) is moves


async def test_a_sentence_of_a_broker_is_stored_whatever_is_in_it(world: World):
    sink = await world.sink()
    async with leased(world.db, f"{cursors.LEASE}{sink}", 30) as lease:
        assert lease is not None
        row = await cursors.source(world.db, sink)
        said = SinkFailed("broker_away", "It said: a\x00b\x1b[2J\ud800." + "x" * 5000)
        await cursors.failed(world.db, lease, row, str(said), timedelta(1))
    stored = (await world.row(sink))["last_error"]
    assert stored.startswith("It said: a b [2J .xxx") and len(stored) == 1000


async def test_a_sink_that_is_leased_elsewhere_is_left_alone(world: World):
    sink = await world.sink()
    await world.blocks(1)
    async with world.publishing():
        async with leased(world.db, f"{cursors.LEASE}{sink}", 30):
            await asyncio.sleep(0.8)
            assert (await world.status(sink)).published <= 1
        await world.published(sink, 1)


async def test_a_changed_address_is_used_from_the_next_batch_on(world: World, tmp_path: Path):
    sink = await world.sink()
    (tmp_path / "other").mkdir()
    async with running(tmp_path / "other") as other, world.publishing():
        await world.blocks(3)
        await world.published(sink, 3)
        async with world.db.transaction() as connection:
            await connection.execute(
                "UPDATE event_sinks SET url_encrypted = $2 WHERE id = $1",
                sink, endpoints.seal(world.services, sink, other.url, None),
            )  # fmt: skip
            await endpoints.wake(connection, sink)
        await world.blocks(4, 100)
        await world.published(sink, 7)
        assert (len(await world.stored()), len(await other.messages(STREAM))) == (3, 4)


async def test_reading_goes_on_where_a_statement_ended(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reader, "SEARCHED_POSITIONS", 7)
    monkeypatch.setattr(reader, "BATCH_BYTES", 1500)
    sink = await world.sink()
    await world.blocks(60)
    async with world.publishing():
        await world.published(sink, 60)
    await world.compare()


async def test_an_owner_has_ten_sinks_and_a_removed_one_leaves_nothing(world: World):
    made: list[UUID] = [await world.sink() for _ in range(endpoints.MOST)]
    with pytest.raises(endpoints.Conflict):
        await world.sink()
    async with world.db.transaction() as connection:
        await endpoints.remove(connection, made[0])
    assert await world.db.fetchval("SELECT count(*) FROM event_sink_cursors") == endpoints.MOST - 1
    await world.sink()
