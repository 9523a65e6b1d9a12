"""Webhooks whose receiver refuses one request in a hundred, in turns with one that refuses none.

An endpoint of a messenger account, and those of an event feed with one event a request and with a hundred. The time
begins with the first accepted event, since a worker claims an endpoint up to two seconds after it was switched on, and
ends when 95 % are accepted: what was refused, and what is behind it, waits for seconds or minutes, whatever the rate.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from uuid import UUID

import asyncpg

from bench.wire.contest import LONGEST
from bench.wire.http import http_provider
from bench.wire.samples import event
from core.ids import uuid7
from engine.feed.event_feed import LAST_POSITION
from engine.webhooks import endpoints, outbox
from engine.webhooks.outbox import OutboxEvent
from runtime.services import Services, services
from tests.support.deployment import Deployment

GOAL = 0.9
EVENTS = 40_000
OF_ONE_OBJECT = 3  # events, as many as a message has that is delivered
SHARE = 0.95  # of the events
REFUSED = 100  # one request of so many

_LEFT = f"""
SELECT (SELECT count(*) FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.state = 'waiting')
  + CASE WHEN w.account_id IS NULL THEN (
    SELECT {LAST_POSITION} - w.position + (SELECT count(*) FROM event_inbox AS i WHERE i.owner_id = w.owner_id)
    FROM event_feeds AS f WHERE f.owner_id = w.owner_id
  ) ELSE 0 END
FROM webhooks AS w WHERE w.id = $1
"""
_BLOCKS = """
INSERT INTO blocked_phones (id, owner_id, phone)
SELECT gen_random_uuid(), $1, '+1415555' || lpad(n::text, 6, '0') FROM generate_series(1, $2) AS n
"""
_ACCOUNT = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver)
  VALUES ($1, $2, 'telegram', $1::uuid::text, 'x', 'sandbox')
"""
_SWITCH = "UPDATE webhooks SET enabled = $2, wakes = wakes + 1 WHERE id = $1"

Prepare = Callable[[str], Awaitable[UUID]]
"""Makes a webhook with this URL, and its events, and switches it off."""


async def run(it: Deployment, count: int, messages: int | None) -> None:
    size = messages or EVENTS
    async with services(it.settings) as opened:
        for title, prepare in _kinds(it, opened, size).items():
            ratios = []
            for number in range(1, count + 1):
                rates = dict[int, float]()
                for refuse in (0, REFUSED) if number % 2 else (REFUSED, 0):
                    async with http_provider(it, "--refuse", str(refuse)) as receiver:
                        rates[refuse] = await _deliver(it, await prepare(receiver.url), size)
                without, refused = rates[0], rates[REFUSED]
                ratios.append(refused / without)
                print(
                    f"  {title}, round {number}: {without:,.0f}/s without refusals, {refused:,.0f}/s with 1 %:"
                    f" {refused / without:.2f}",
                    flush=True,
                )
            print(f"{title}: {statistics.median(ratios):.2f} of the rate without refusals (goal {GOAL})")


def _kinds(it: Deployment, opened: Services, size: int) -> dict[str, Prepare]:
    async def of_account(url: str) -> UUID:
        owner, account = await it.owner(), uuid7()
        async with opened.db.reading() as db:
            await db.execute(_ACCOUNT, account, owner)
            saved = await endpoints.save(db, opened, account, url, ["message"])
            events = [
                OutboxEvent("message", event(number), str(number // OF_ONE_OBJECT)) for number in range(size)
            ]
            for first in range(0, size, 500):
                async with db.transaction():
                    await outbox.put(db, account, events[first : first + 500])
            await db.execute(_SWITCH, saved.webhook["id"], False)
        return UUID(str(saved.webhook["id"]))

    async def of_feed(url: str, batch: int) -> UUID:
        owner = await it.owner()
        await it.record_events(owner)
        async with opened.db.transaction() as db:
            saved = await endpoints.save_of_feed(
                db, opened, owner, url, {"batch": batch, "enabled": False}, None
            )
        async with opened.db.transaction() as db:
            await db.execute(_BLOCKS, owner, size)
        return UUID(str(saved.webhook["id"]))

    return {
        "messenger account": of_account,
        "feed, 1 event a request": lambda url: of_feed(url, 1),
        "feed, 100 events a request": lambda url: of_feed(url, 100),
    }


async def _deliver(it: Deployment, webhook: UUID, size: int) -> float:
    """Returns the events a second that the endpoint has accepted, and deletes it."""
    db = await asyncpg.connect(it.url)
    try:
        async with it.workers(1):
            await asyncio.sleep(2)  # what a worker does once after its start is done
            await db.execute(_SWITCH, webhook, True)
            async with asyncio.timeout(LONGEST):
                while (first := await db.fetchval(_LEFT, webhook)) >= size:  # until a worker has claimed it
                    await asyncio.sleep(0.005)
                begun = time.monotonic()
                while (left := await db.fetchval(_LEFT, webhook)) > size * (1 - SHARE):
                    await asyncio.sleep(0.02)
            return float((first - left) / (time.monotonic() - begun))
    finally:
        await db.execute("DELETE FROM webhooks WHERE id = $1", webhook)
        await db.close()
