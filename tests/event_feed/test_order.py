"""The order of the feed: transactions that commit in any order, objects whose changes wait for each other."""

import asyncio
import random
from collections import defaultdict
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7
from engine.feed import event_feed, rounds
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person

_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"
_MESSAGE = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body)
VALUES ($1, $2, $3, 'outbound', 'sms', '+14155550100', 'hi')
"""
_CHANGE = """
UPDATE messages SET attempts = attempts + 1,
  state = CASE state WHEN 'sent' THEN 'delivered' ELSE 'sent' END WHERE id = $1
"""


async def test_what_commits_late_is_never_skipped(ada: Person, database: str):
    cursor = await opened(ada)
    early, late = await asyncpg.connect(database), await asyncpg.connect(database)
    slow = late.transaction()
    await slow.start()
    await late.execute(_BLOCK, ada.id, "+1 late")  # takes its number first
    await early.execute(_BLOCK, ada.id, "+1 early")
    page = await read(ada, cursor)
    assert [event["data"]["phone"] for event in page["events"]] == ["+1 early"]
    await slow.commit()
    behind = await read(ada, page["next"])
    assert [event["data"]["phone"] for event in behind["events"]] == ["+1 late"]
    await early.close()
    await late.close()


@pytest.mark.parametrize("door", ["enable", "page"])
async def test_a_feed_is_ready_when_all_that_have_not_seen_it_have_ended(
    door: str, ada: Person, database: str
):
    """The first cursor is given only after the transactions that were under way have ended, so the tables have their
    changes.
    """
    under_way = await asyncpg.connect(database)
    transaction = under_way.transaction()
    await transaction.start()
    await under_way.execute(_BLOCK, ada.id, "+1 before")  # no feed yet: no event
    call = ("PUT", "/events/feed") if door == "enable" else ("GET", "/events")
    opening = asyncio.create_task(ada.rest(*call))
    await asyncio.sleep(0.3)
    assert not opening.done()
    await transaction.commit()
    answer = await opening
    assert answer.status_code == 200
    blocks = (await ada.rest("GET", "/block/list")).json()["items"]
    assert [block["phone"] for block in blocks] == ["+1 before"]
    await under_way.execute(_BLOCK, ada.id, "+1 behind")
    page = await read(ada, answer.json()["oldest" if door == "enable" else "next"])
    assert [event["data"]["phone"] for event in page["events"]] == ["+1 behind"]
    await under_way.close()


async def test_a_feed_that_is_not_ready_says_so(
    ada: Person, database: str, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(event_feed, "READY_SECONDS", 0.1)
    under_way = await asyncpg.connect(database)
    transaction = under_way.transaction()
    await transaction.start()
    await under_way.execute(_BLOCK, ada.id, "+1 before")
    for _ in range(2):
        answer = await ada.rest("GET", "/events")
        assert (answer.status_code, answer.json()["code"]) == (503, "feed_not_ready")
    await rounds.maintain(services)  # does not make it ready either
    await transaction.rollback()
    # Transactions of other tests, which use the same server, delay it as well.
    monkeypatch.setattr(event_feed, "READY_SECONDS", 60.0)
    await rounds.maintain(services)
    assert (await ada.data("{eventFeed{recording count}}"))["eventFeed"] == {"recording": True, "count": 0}
    assert (await read(ada))["events"] == []
    await under_way.close()


@pytest.mark.parametrize("seed", range(4))
async def test_every_event_is_read_once_and_those_of_one_object_in_their_order(
    seed: int, ada: Person, database: str, services: Services
):
    """Writers begin, take numbers, wait for each other's rows and commit or roll back at any time; two readers
    follow.
    """
    rng = random.Random(seed)
    cursor = await opened(ada)
    messages = [uuid7() for _ in range(3)]
    for message in messages:
        await services.db.fetch(_MESSAGE, message, ada.id, ada.account_id)
    committed: list[str] = []
    writing = True

    async def writer(number: int) -> None:
        db = await asyncpg.connect(database)
        for turn in range(12):
            phone = f"+{number}-{turn}"
            transaction = db.transaction()
            await transaction.start()
            await db.execute(_BLOCK, ada.id, phone)
            await asyncio.sleep(rng.random() * 0.01)
            # In one order, so that no two wait for each other for ever.
            for message in sorted(rng.sample(messages, 2)):
                await db.execute(_CHANGE, message)
                await asyncio.sleep(rng.random() * 0.005)
            if rng.random() < 0.8:
                await transaction.commit()
                committed.append(phone)
            else:
                await transaction.rollback()
        await db.close()

    async def reader(pause: float) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        after = cursor
        while True:
            last_look = not writing
            page = await read(ada, after, first=rng.randint(1, 40))
            events += page["events"]
            after = page["next"]
            if last_look and not page["more"]:
                return events
            await asyncio.sleep(rng.random() * pause)

    readers = [asyncio.create_task(reader(0.01)), asyncio.create_task(reader(0.05))]
    await asyncio.gather(*(writer(number) for number in range(8)))
    writing = False
    one, other = await asyncio.gather(*readers)
    assert [event["id"] for event in one] == [event["id"] for event in other]
    phones = [event["data"]["phone"] for event in one if event["type"] == "block.added"]
    assert sorted(phones) == sorted(committed)
    changes: dict[UUID, list[int]] = defaultdict(list)
    for event in one:
        if event["subject"] == "message" and event["type"] != "message.queued":
            changes[UUID(event["subjectId"])].append(event["data"]["attempts"])
    for attempts in changes.values():
        assert attempts == [*range(1, len(attempts) + 1)]
    assert sum(map(len, changes.values())) == 2 * len(committed)
