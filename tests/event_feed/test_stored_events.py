"""The events of messages are written once, by statement: they have their positions, and stay where they are."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7
from engine.feed import event_feed, rounds
from engine.feed.event_feed import Bounds
from engine.feed.stored_events import GROUP
from engine.persons.registry import BY_STEP
from runtime.services import Services
from tests.event_feed.test_event_feed import expired, opened, read
from tests.support.people import Person

_MESSAGES = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body)
SELECT id, $2, $3, 'outbound', 'sms', '+1415' || lpad(number::text, 7, '0'), 'Hello'
FROM unnest($1::uuid[]) WITH ORDINALITY AS new (id, number) ORDER BY number
"""
_ROWS = """
WITH stored AS (
  INSERT INTO message_events (owner_id, seq, subject, events)
  SELECT $1, seq, 'message', array_fill(
    ROW(NULL, NULL, $1, NULL, $1, NULL, 'message.queued', 'sms', '+1', 1, NULL, NULL)::message_event, ARRAY[5]
  ) FROM generate_series(1, 2000) AS seq
)
INSERT INTO event_inbox (owner_id, seq, id, count) SELECT $1, seq, NULL, 5 FROM generate_series(1, 2000) AS seq
"""
_GROUPS = "SELECT count(*) FROM message_events"
_WEEK = timedelta(days=7)


async def messages(services: Services, person: Person, count: int) -> list[str]:
    """Inserts messages by one statement. Returns their ids in order."""
    ids = [uuid7() for _ in range(count)]
    await services.db.fetch(_MESSAGES, ids, person.id, person.account_id)
    return [str(id) for id in ids]


async def all_of(person: Person, cursor: str, first: int = 1000) -> list[dict[str, Any]]:
    """Reads page by page until a page is empty."""
    events: list[dict[str, Any]] = []
    while page := await read(person, cursor, first=first):
        if not page["events"]:
            return events
        events += page["events"]
        cursor = page["next"]
    return events


def subjects(events: list[dict[str, Any]]) -> list[str]:
    return [event["subjectId"] for event in events]


async def pruned(services: Services, person: Person, limit: int) -> int:
    """Deletes the oldest events but `limit`. Returns the number of those that are left."""
    async with services.db.transaction() as db:
        feed = await event_feed.lock(db, person.id)
        assert feed is not None
        while await event_feed.prune(db, feed, Bounds(limit, _WEEK)):
            pass
    return feed.count


def test_the_triggers_make_groups_of_that_size():
    for name in ("message", "record"):
        assert f"/ {GROUP}\n" in Path(f"db/functions/postern_{name}_events.sql").read_text().replace(
            " ORDER BY first\n", "\n"
        )


@pytest.mark.parametrize("first", [7, 100, 1000])
async def test_pages_begin_and_end_within_a_statement_s_events(ada: Person, services: Services, first: int):
    start = await opened(ada)
    before = await messages(services, ada, 2 * GROUP + 50)
    await ada.rest("POST", "/block/+14155550100")
    after = await messages(services, ada, 1)
    events = await all_of(ada, start, first)
    block = [event["subjectId"] for event in events if event["type"] == "block.added"]
    assert subjects(events) == [*before, *block, *after]
    assert len({event["id"] for event in events}) == len({event["cursor"] for event in events}) == len(events)
    assert await services.db.fetchval(_GROUPS) == 4
    again = await all_of(ada, events[30]["cursor"], first)
    assert again == events[31:], "an event has the same id, cursor and data whenever it is read"


async def test_a_page_reads_the_rows_that_it_needs(ada: Person, services: Services):
    await opened(ada)
    await services.db.fetch(_ROWS, ada.id)
    feed = await event_feed.newest(services.db, ada.id)
    async with services.db.reading() as db:
        await db.execute("SET plan_cache_mode = force_generic_plan")
        await db.execute("ANALYZE events, message_events")
        await db.execute(f"PREPARE page (uuid, bigint, bigint, text[], bigint) AS {event_feed._READ}")
        plan = await db.fetchval(
            f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page ('{ada.id}', 100, {feed.last_position}, NULL, 10)"
        )
        await db.execute("DEALLOCATE page")
        await db.execute("RESET plan_cache_mode")
    rows = {
        node["Relation Name"]: node["Actual Rows"] * node["Actual Loops"]
        for node in _nodes(plan[0]["Plan"])
        if "Relation Name" in node
    }
    assert rows["message_events"] <= 8, rows  # and not 1980, to the end of the feed


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for part in plan.get("Plans", ()) for node in _nodes(part))]


async def test_types_are_found_among_others_of_one_statement(ada: Person, services: Services):
    start = await opened(ada)
    ids = await messages(services, ada, 5)
    await services.db.fetch(
        "UPDATE messages SET state = CASE id WHEN $2 THEN 'failed' ELSE 'sent' END, sent_at = now()"
        " WHERE id = ANY($1)", [UUID(id) for id in ids], UUID(ids[3]),
    )  # fmt: skip
    failed = await read(ada, start, types="message.failed")
    assert subjects(failed["events"]) == [ids[3]]
    assert failed["events"][0]["data"]["deliveryState"] == failed["events"][0]["data"]["status"] == "failed"


async def test_one_statement_tells_a_bounce_before_the_state_that_it_leads_to(
    ada: Person, services: Services
):
    start = await opened(ada)
    ids = await messages(services, ada, GROUP)
    await services.db.fetch(
        "UPDATE messages SET state = 'failed', bounced_at = now(), complained_at = now() WHERE owner_id = $1",
        ada.id,
    )
    events = (await all_of(ada, start))[GROUP:]
    assert len(events) == 3 * GROUP
    for id in ids:
        types = [event["type"] for event in events if event["subjectId"] == id]
        assert types == ["message.bounced", "message.complained", "message.failed"]


async def test_a_feed_is_cut_within_a_statement_s_events(ada: Person, services: Services):
    start = await opened(ada)
    ids = [*await messages(services, ada, GROUP), *await messages(services, ada, GROUP)]
    await all_of(ada, start)
    assert await pruned(services, ada, 150) == 150
    oldest = await expired(ada, start)
    assert subjects(await all_of(ada, oldest)) == ids[50:]
    assert await services.db.fetchval(_GROUPS) == 2, "half of the first one can be read"
    assert await pruned(services, ada, 30) == 30
    assert await services.db.fetchval(_GROUPS) == 1
    newest = await messages(services, ada, 1)  # behind the last one, although its row begins before the cut
    state = await ada.data("{eventFeed{count}}")
    oldest = await expired(ada, start)
    events = await all_of(ada, oldest)
    assert subjects(events) == [*ids[-30:], *newest]
    assert len({event["cursor"] for event in events}) == 31
    assert state["eventFeed"]["count"] in (30, 31)
    assert await pruned(services, ada, 0) == 0
    assert await services.db.fetchval(_GROUPS) == 0
    newest = await messages(services, ada, 1)
    assert subjects(await all_of(ada, await expired(ada, start))) == newest


async def test_a_round_deletes_old_events_of_a_statement(ada: Person, services: Services):
    start = await opened(ada)
    await messages(services, ada, 3)
    young = await messages(services, ada, 3)
    await all_of(ada, start)
    await services.db.fetch("UPDATE events SET at = at - interval '8 days' WHERE position = 1")
    await rounds.maintain(services)
    assert subjects(await all_of(ada, await expired(ada, start))) == young
    assert await services.db.fetchval(_GROUPS) == 1
    # A feed that was cut within a row finds that the row has become old.
    assert await pruned(services, ada, 2) == 2
    await services.db.fetch("UPDATE events SET at = at - interval '8 days'")
    await rounds.maintain(services)
    assert await services.db.fetchval(_GROUPS) == 0


async def test_an_erased_event_leaves_its_position_to_no_other(ada: Person, services: Services):
    start = await opened(ada)
    ids = await messages(services, ada, 3)
    cursors = [event["cursor"] for event in await all_of(ada, start)]
    for number in (3, 1):
        erased = f'%"+1415{number:07}"%'
        await services.db.fetch(BY_STEP["message_events"].page, ada.id, None, [], [erased], [])
    assert await services.db.fetch(BY_STEP["message_events"].page, ada.id, None, [], [erased], []) == []
    newest = await messages(services, ada, 1)
    events = await all_of(ada, start)
    assert subjects(events) == [ids[1], *newest]
    assert events[0]["cursor"] == cursors[1] and events[1]["cursor"] not in cursors
    stored = await services.db.fetchval("SELECT string_agg(to_jsonb(events)::text, ' ') FROM message_events")
    assert "0000002" in stored and "0000003" not in stored


@pytest.mark.parametrize("moved", [False, True])
async def test_the_end_of_a_recording_deletes_them(ada: Person, services: Services, moved: bool):
    start = await opened(ada)
    await messages(services, ada, GROUP + 1)
    if moved:
        await all_of(ada, start)
    assert await ada.data("mutation{disableEvents}") == {"disableEvents": True}
    await rounds.maintain(services)
    tables = ("message_events", "events", "event_inbox")
    assert [await services.db.fetchval(f"SELECT count(*) FROM {table}") for table in tables] == [0, 0, 0]


async def test_what_was_recorded_before_a_feed_is_ready_is_deleted(ada: Person, services: Services):
    await opened(ada)
    async with services.db.transaction() as db:
        await event_feed.stop(db, ada.id)
    async with services.db.transaction() as db:
        await event_feed.record(db, ada.id)
    await messages(services, ada, 2)
    feed = await event_feed.open_feed(services.db, ada.id)
    assert not feed.pending
    assert (
        await services.db.fetchval(_GROUPS)
        == await services.db.fetchval("SELECT count(*) FROM event_inbox")
        == 0
    )


async def test_a_batch_of_positions_ends_with_a_row(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(event_feed, "BATCH", 150)
    start = await opened(ada)
    ids = await messages(services, ada, 5 * GROUP)
    async with services.db.transaction() as db:
        feed = await event_feed.lock(db, ada.id)
        assert feed is not None
        assert await event_feed.store_positions(db, feed), "there are more"
    assert feed.last_position == 2 * GROUP
    assert subjects(await all_of(ada, start)) == ids


async def test_a_row_is_an_event_or_names_those_of_a_statement(ada: Person, services: Services):
    """A process of an earlier commit would forget the number, and with it the events."""
    await opened(ada)
    await messages(services, ada, 1)
    with pytest.raises(asyncpg.CheckViolationError):
        await services.db.fetch(
            "INSERT INTO events (owner_id, position, id, type, subject, subject_id, project_id, account_id, at, data)"
            " SELECT owner_id, 1, id, type, subject, subject_id, project_id, account_id, at, data FROM event_inbox"
        )
