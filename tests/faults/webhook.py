"""A webhook of all events of messages, under fire like everything else: none may be missing or come in another
order.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import orjson

from engine.feed.event_feed import LAST_POSITION
from shapes.event_feed import CATALOGUE
from tests.support.feeds import ALL_EVENTS
from tests.webhooks.arrivals import differences, events_of, first_arrivals

TYPES = [each.type for each in CATALOGUE if each.type.startswith("message.")]
BATCH = 100
"""Events of one request at most."""

# The webhook has come to the end of the feed, and no delivery waits for another attempt.
_IS_DONE = f"""
SELECT NOT EXISTS (SELECT FROM event_inbox)
  AND NOT EXISTS (SELECT FROM webhooks AS w JOIN event_feeds AS f USING (owner_id) WHERE w.position < {LAST_POSITION})
  AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'waiting')
"""
_FEED = f"SELECT id::text, subject_id::text FROM {ALL_EVENTS} WHERE type = ANY($1) ORDER BY position"


async def delivered(url: str, within: float = 600) -> None:
    """Waits until nothing is left to deliver, or as long as it may take; then something will be missing."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within):
            while True:
                with suppress(OSError, asyncpg.PostgresError):
                    if (await _fetch(url, _IS_DONE))[0][0]:
                        return
                await asyncio.sleep(0.2)


async def problems(url: str, log: Path) -> tuple[list[str], str]:
    """Compares what the receiver has written down with the feed. Returns what is wrong, and the numbers."""
    feed = [(row[0], row[1]) for row in await _fetch(url, _FEED, TYPES)]
    bodies = [orjson.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []
    came = first_arrivals(bodies)
    wrong = differences(feed, [(event["id"], event["subjectId"]) for event in came])
    again = sum(len(events_of(body)) for body in bodies) - len(came)
    return (
        wrong,
        f"webhook: {len(feed)} events, {len(came)} came in {len(bodies)} requests; {again} came again",
    )


async def _fetch(url: str, sql: str, *arguments: Any) -> Sequence[Any]:
    db = await asyncpg.connect(url)
    try:
        return await db.fetch(sql, *arguments)
    finally:
        await db.close()
