"""Workers die at every point of the way of a project for topics, while its subscribers withdraw.

`COUNT=100000` makes so many subscribers; `--timeout` must be longer than a run of them, some minutes at each point.
"""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.faultpoints import AUDIENCE_POINTS, PROJECT_POINTS
from engine.jobs import JobName, enqueue
from shapes.consents import ConsentSource
from shapes.topic_subscriptions import SubscriptionState
from tests.faults.world import World, shared_world

pytestmark = pytest.mark.rotating

COUNT = int(os.environ.get("COUNT", "120"))
_MANY = 1000  # from which on subscribers withdraw without a pause
_SLOW = COUNT / 20  # seconds that so many messages take at most
_CONTACTS = """
WITH made AS (
  INSERT INTO contacts (id, owner_id, name) SELECT c.id, $1, 'x' FROM unnest($2::uuid[]) AS c (id)
), addresses AS (
  INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, "primary")
  SELECT gen_random_uuid(), $1, c.id, $3, c.address, true FROM unnest($2::uuid[], $4::text[]) AS c (id, address)
), topic AS (
  INSERT INTO topics (id, owner_id, key, name, category) VALUES ($5, $1, 'news', 'News', 'transactional')
)
INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
SELECT gen_random_uuid(), $1, c.id, $5, $3, 'active' FROM unnest($2::uuid[]) AS c (id)
"""
_START = """
UPDATE sending_projects SET status = 'running', preparation = 'freeze', started_at = now(), recipients_pending = $2,
  audience = $3::text::jsonb WHERE id = $1
"""
_MESSAGES = """
SELECT m.id, m.status, m.handed_at, m.failure_code, r.contact_id
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) = (SELECT sum(amount) FROM ledger_entries)
  AND (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') = (SELECT sum(price) FROM message_records)
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


class Withdrawals:
    """Contacts that withdraw one after another, and when each was answered by the database's clock."""

    def __init__(self, owner: UUID, topic: UUID, channel: str, contacts: list[UUID]) -> None:
        self.owner, self.topic, self.channel = owner, topic, channel
        self.contacts = contacts
        self.answered_at: dict[UUID, datetime] = {}

    async def run(self, url: str) -> None:
        db = await asyncpg.connect(url)
        proof = Proof(ConsentSource.page)
        for contact in self.contacts:
            wish = DesiredState(contact, self.topic, self.channel, SubscriptionState.withdrawn)
            await changes.apply(db, self.owner, [wish], proof)
            self.answered_at[contact] = await db.fetchval("SELECT clock_timestamp()")
            await asyncio.sleep(0.02 if COUNT < _MANY else 0)
        await db.close()


async def run(it: World, point: str, mutant: str) -> tuple[list[Any], Withdrawals]:
    """Runs a project for a topic, of whose subscribers a third withdraws meanwhile; the first worker dies at `point`.

    Returns the messages with the contacts that they are for.
    """
    await it.provider(honours=True, seed=1, trouble=0)
    owner, topic, channel = await it.owner(), uuid7(), it.channel.kind
    contacts = [uuid7() for _ in range(COUNT)]
    it.project = await it.make_project(owner, channel, "Hello {{ name }}!", [])
    db = await asyncpg.connect(it.url)
    addresses = [it.channel.address(number) for number in range(COUNT)]
    await db.execute(_CONTACTS, owner, contacts, channel, addresses, topic)
    await db.execute(_START, it.project, COUNT, json.dumps({"topicUuids": [str(topic)]}))
    await enqueue(db, JobName.read_audience, it.project)
    chosen = random.Random(point).sample(contacts, COUNT // 3)
    withdrawals = Withdrawals(owner, topic, channel, chosen)
    dying = await it.worker(mutant, FAULT_AT=point)
    # Who withdraws before the audience is read is not in it, and a busy machine takes seconds to start a worker.
    while dying.returncode is None and not await db.fetchval("SELECT EXISTS (SELECT FROM recipients)"):
        await asyncio.sleep(0.02)
    running = asyncio.create_task(withdrawals.run(it.url))
    assert await asyncio.wait_for(dying.wait(), max(120, _SLOW)) == -signal.SIGKILL
    if mutant == "no_consent":
        await running  # so that all of them are answered before the rest is sent
    await it.worker(mutant)
    await it.quiet(within=max(600, _SLOW))
    await running
    rows = await db.fetch(_MESSAGES)
    assert await db.fetchval(_MONEY)
    await db.close()
    stayed = {*contacts} - {*withdrawals.answered_at}
    assert {row["status"] for row in rows if row["contact_id"] in stayed} == {"sent"}
    assert stayed <= {row["contact_id"] for row in rows}
    return rows, withdrawals


def written_to(rows: list[Any], withdrawals: Withdrawals) -> list[Any]:
    """Returns the messages whose intent was recorded after the withdrawal had been answered."""
    answered = withdrawals.answered_at
    return [
        row
        for row in rows
        if row["handed_at"] is not None
        and row["contact_id"] in answered
        and row["handed_at"] > answered[row["contact_id"]]
    ]


@pytest.mark.parametrize("point", [*AUDIENCE_POINTS, *PROJECT_POINTS])
async def test_nobody_who_has_withdrawn_is_written_to(point: str, it: World):
    rows, withdrawals = await run(it, point, "small_pages")
    assert not written_to(rows, withdrawals)
    assert {row["failure_code"] for row in rows} <= {None, "not_subscribed"}
    # Whoever is called skipped got nothing, and nobody got it twice. A message that the dying worker had handed over is
    # not asked for again, so that nobody knows of it.
    of_status = {
        status: {str(row["id"]) for row in rows if row["status"] == status} for status in ("sent", "unknown")
    }
    effects = Counter(effect[1] for effect in it.effects())
    assert of_status["sent"] <= {*effects} <= of_status["sent"] | of_status["unknown"]
    assert {*effects.values()} == {1}


async def test_an_engine_that_does_not_ask_is_found_out(it: World):
    assert written_to(*await run(it, "prepared", "no_consent"))
