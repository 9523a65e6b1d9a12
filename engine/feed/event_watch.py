"""Wakes those who follow event feeds: one query for all feeds that are followed in this process, four times a
second.
"""

import asyncio
import time
from collections import Counter
from contextvars import Context
from dataclasses import dataclass
from uuid import UUID

import structlog

from core.tasks import end
from engine.feed.event_feed import LAST_POSITION, USED
from engine.feed.inbox_floor import inbox_floors
from runtime.database_errors import translate
from runtime.services import Services

log = structlog.get_logger("postern.events")

STEP = 0.25  # seconds between two looks
_LONGEST_STEP = 5.0  # while the database does not answer
_USED_SECONDS = 60.0  # between two notes that the feeds are used

_NEWEST = f"""
SELECT f.owner_id, f.recording, {LAST_POSITION} + (SELECT count(*) FROM (
  SELECT FROM event_inbox AS i WHERE i.owner_id = f.owner_id AND i.seq > followed.after LIMIT 1
) AS unread) AS newest
FROM unnest($1::uuid[], $2::bigint[]) AS followed (id, after) JOIN event_feeds AS f ON f.owner_id = followed.id
"""  # noqa: S608  our own expression


@dataclass(frozen=True, slots=True)
class _Seen:
    look: int  # the number of the look
    recording: bool
    newest: int  # a position that the feed has, or is about to have


class FeedWatch:
    """One a process. It looks only while a follower waits."""

    def __init__(self, services: Services) -> None:
        self._db = services.db
        self._floors = inbox_floors(services)
        self._followers: Counter[UUID] = Counter()
        self._seen: dict[UUID, _Seen] = {}
        self._look = 0
        self._looked = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None
        self._used = 0.0

    async def wait(self, owner_id: UUID, position: int) -> None:
        """Waits until the feed may have an event behind the position, is not recorded any more, or was restored to an
        earlier state.
        """
        self._followers[owner_id] += 1
        if self._looking is None or self._looking.done():
            # In a context of its own: the task outlives the caller.
            self._looking = asyncio.create_task(self._look_again(), context=Context())
        look = self._look  # this look may see a state that is older than the caller's position

        def is_behind() -> bool:
            seen = self._seen.get(owner_id)
            if seen is None:
                return False
            changed = not seen.recording or seen.newest < position  # a backup was restored
            return seen.newest > position or (changed and seen.look > look)

        try:
            async with self._looked:
                await self._looked.wait_for(is_behind)
        finally:
            self._followers[owner_id] -= 1
            if not self._followers[owner_id]:
                del self._followers[owner_id]
                self._seen.pop(owner_id, None)

    async def _look_again(self) -> None:
        step = STEP
        while self._followers:
            self._look += 1
            look, owner_ids = self._look, [*self._followers]
            try:
                after = [self._floors.of(owner_id).seq for owner_id in owner_ids]
                rows = await self._db.fetch(_NEWEST, owner_ids, after)
                if time.monotonic() > self._used + _USED_SECONDS:
                    self._used = time.monotonic()
                    await self._db.fetch(USED, owner_ids)
            except Exception as error:  # the next look finds events of the meantime
                if step == STEP:
                    unexpected = translate(error) is None
                    log.warning("can't look for new events", error=error, exc_info=unexpected)
                step = min(step * 2, _LONGEST_STEP)
            else:
                step = STEP
                async with self._looked:
                    self._seen = {
                        row["owner_id"]: _Seen(look, row["recording"], row["newest"]) for row in rows
                    }
                    self._looked.notify_all()
            await asyncio.sleep(step)

    async def close(self) -> None:
        """Ends the looks."""
        if self._looking is not None:
            await end((self._looking,))


def watch_of(services: Services) -> FeedWatch:
    """Returns the watch of this process."""
    return services.single(FeedWatch, lambda: FeedWatch(services), FeedWatch.close)
