"""Wakes those who follow event feeds: one query for all feeds that are followed in this process, four times a second."""

import asyncio
from collections import Counter
from contextvars import Context
from uuid import UUID

import structlog

from core.tasks import end
from runtime.database_errors import translate
from runtime.services import Services

log = structlog.get_logger("postern.events")

STEP = 0.25  # seconds between two looks

_NEWEST = """
SELECT owner_id, last_position + (SELECT count(*) FROM (
  SELECT FROM event_inbox AS i WHERE i.owner_id = f.owner_id LIMIT 1
) AS unread) AS newest
FROM event_feeds AS f WHERE owner_id = ANY($1)
"""


class FeedWatch:
    """One a process. It looks only while somebody waits."""

    def __init__(self, services: Services) -> None:
        self._db = services.db
        self._followers: Counter[UUID] = Counter()
        self._newest: dict[UUID, int] = {}
        self._looked = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    async def wait(self, owner_id: UUID, position: int) -> None:
        """Waits until the feed may have an event behind the position."""
        self._followers[owner_id] += 1
        if self._looking is None or self._looking.done():
            # In a context of its own: the task outlives the caller.
            self._looking = asyncio.create_task(self._look(), context=Context())
        try:
            async with self._looked:
                await self._looked.wait_for(lambda: self._newest.get(owner_id, position) != position)
        finally:
            self._followers[owner_id] -= 1
            if not self._followers[owner_id]:
                del self._followers[owner_id]
                self._newest.pop(owner_id, None)

    async def _look(self) -> None:
        while self._followers:
            try:
                rows = await self._db.fetch(_NEWEST, [*self._followers])
            except Exception as error:  # the next look finds what happened meanwhile
                translated = translate(error)
                log.warning("can't look for new events", error=str(error)[:200], exc_info=translated is None)
            else:
                async with self._looked:
                    self._newest = {row["owner_id"]: row["newest"] for row in rows}
                    self._looked.notify_all()
            await asyncio.sleep(STEP)

    async def close(self) -> None:
        """Ends the looks."""
        if self._looking is not None:
            await end((self._looking,))


def watch_of(services: Services) -> FeedWatch:
    """Returns the watch of this process."""
    return services.single(FeedWatch, lambda: FeedWatch(services), FeedWatch.close)
