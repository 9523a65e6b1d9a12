"""Workers die at every point of the way of a project that follows another one, while reports about that one arrive."""

import asyncio
import json
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from engine.faultpoints import FOLLOW_POINTS, PROJECT_POINTS
from engine.jobs import JobName, enqueue
from tests.faults.world import World, shared_world

pytestmark = pytest.mark.rotating

COUNT = 150
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, sent_at, handed_at,
  failure_code)
SELECT gen_random_uuid(), $1, p.owner_id, r.id, p.channel, r.address, n.status, now() - interval '2 hours',
  now() - interval '2 hours', CASE WHEN n.status = 'failed' THEN 'x' END
FROM recipients AS r JOIN sending_projects AS p ON p.id = r.project_id
JOIN unnest($2::text[], $3::text[]) AS n (address, status) ON n.address = r.address
WHERE r.project_id = $1 ORDER BY r.seq
"""
_START = """
UPDATE sending_projects SET status = 'running', started_at = now(), audience = $2::text::jsonb, follows_uuid = $3,
  follow_due_at = now() WHERE id = $1
"""
_FOLLOWING = """
SELECT m.id, m.status, m.failure_code, m."to", r.follows_message_id FROM message_records AS m
JOIN recipients AS r ON r.id = m.recipient_id WHERE m.project_id = $1
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) = (SELECT sum(amount) FROM ledger_entries)
  AND (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') = (SELECT sum(price) FROM message_records)
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def deliver(url: str, messages: list[UUID], done: set[UUID]) -> None:
    """Reports one message after the other as delivered."""
    db = await asyncpg.connect(url)
    for message in messages:
        await db.execute(
            "UPDATE message_records SET status = 'delivered', delivered_at = now() WHERE id = $1 AND status = 'sent'",
            message,
        )
        done.add(message)
        await asyncio.sleep(0.02)
    await db.close()


@pytest.mark.parametrize("point", [*FOLLOW_POINTS, *PROJECT_POINTS])
async def test_each_message_is_followed_once(point: str, it: World):
    await it.provider(honours=True, seed=1, trouble=0)
    owner, channel, chance = await it.owner(), it.channel.kind, random.Random(point)
    addresses = [it.channel.address(number) for number in range(COUNT)]
    statuses = [chance.choice(["failed", "sent", "sent", "delivered"]) for _ in addresses]
    first = await it.make_project(owner, channel, "Hello!", [(address, "x", "{}") for address in addresses])
    it.project = await it.make_project(owner, channel, "Again, {{ name }}!", [])
    db = await asyncpg.connect(it.url)
    await db.execute(_RECORDS, first, addresses, statuses)
    await db.execute(
        "UPDATE sending_projects SET status = 'finished', preparation = NULL WHERE id = $1", first
    )
    rule = {"projectUuid": str(first), "until": "delivered", "within": 3600}
    await db.execute(_START, it.project, json.dumps({"topicUuids": [], "follows": rule}), first)
    await enqueue(db, JobName.follow_project, it.project)
    of_status = {
        status: {
            row["id"] for row in await db.fetch("SELECT id FROM message_records WHERE status = $1", status)
        }
        for status in {*statuses}
    }
    late, arrived = chance.sample(sorted(of_status["sent"]), len(of_status["sent"]) // 3), set[UUID]()
    dying = await it.worker("small_pages", FAULT_AT=point)
    reports = asyncio.create_task(deliver(it.url, late, arrived))
    assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
    await it.worker("small_pages")
    await it.quiet()
    await reports
    rows = await db.fetch(_FOLLOWING, it.project)
    assert await db.fetchval(_MONEY)
    followed = Counter(row["follows_message_id"] for row in rows)
    assert {*followed.values()} <= {1}
    # All that could not arrive any more are followed; of those that arrived meanwhile, those that were read before.
    must = of_status["failed"] | (of_status["sent"] - {*late})
    assert must <= {*followed} <= must | {*late}
    of = {
        status: {str(row["id"]) for row in rows if row["status"] == status} for status in ("sent", "unknown")
    }
    effects = Counter(effect[1] for effect in it.effects())
    assert of["sent"] <= {*effects} <= of["sent"] | of["unknown"]
    assert {*effects.values()} == {1}
    assert {row["failure_code"] for row in rows if row["status"] == "skipped"} <= {"superseded"}
    await db.close()
