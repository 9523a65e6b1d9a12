"""Records clicks after they were answered: who asks waits for none of this.

    click ──► a bounded queue ──► every FLUSH_SECONDS: limits, machines ──► one statement for all that have come

A process keeps at most MOST_WAITING clicks, and those of one statement, that are not stored yet; while the database is
away it tries for SECONDS to store them. What is beyond, and what a process had when it was killed (the clicks of the
last tenth of a second, as a rule), is not counted; the link has worked all the same.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from cachetools import LRUCache

from core.budget import Budget
from core.metrics import CLICKS
from core.rate_limits import Limit
from core.tasks import end
from engine.blocks import ERASED
from engine.clicks.agents import is_crawler
from engine.faultpoints import fault_point
from runtime.retry import until_done
from runtime.services import Services
from shapes.clicks import ClickMachine

log = structlog.get_logger("postern.clicks")

MOST_WAITING: Final = 2_000
FLUSH_SECONDS: Final = 0.1
SECONDS: Final = 5.0
_TOGETHER: Final = 500
_REMEMBERED: Final = 20_000  # clicks of this process that need not be written again
_LOG_SECONDS: Final = 60.0
OF_NETWORK: Final = Limit("clicks", 600, 60.0)
OF_ALL: Final = Limit("clicks-all", 60_000, 60.0)
FREE: Final = 30
"""Clicks of an address in a minute that are not asked for at Redis: nearly all people stay below."""

_ADDRESSES: Final = 20_000
_AGAIN: Final = CLICKS.labels("again")

_SOON: Final = "interval '2 seconds'"
# The links are locked first and in order, so that two processes never wait for each other. A message is locked against
# an erasure, or is erased. A person's click replaces a machine's.
_RECORD = f"""
WITH locked AS MATERIALIZED (
  SELECT id, project_id FROM click_links WHERE id = ANY($2::uuid[] || $5::uuid[]) ORDER BY id FOR NO KEY UPDATE
), made AS MATERIALIZED (
  SELECT a.place, m.id AS message_id, l.id AS link_id, l.project_id, m.owner_id, a.at, COALESCE(a.machine, CASE
    WHEN a.at <= GREATEST(m.sent_at, m.handed_at) + {_SOON}
      OR a.at BETWEEN m.delivered_at AND m.delivered_at + {_SOON} THEN 'soon' END) AS machine
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) WITH ORDINALITY
    AS a (message_id, link_id, at, machine, place)
  JOIN locked AS l ON l.id = a.link_id
  JOIN message_records AS m ON m.id = a.message_id AND m.project_id = l.project_id AND m."to" <> '{ERASED}'
  ORDER BY m.id FOR SHARE OF m
), stored AS (
  INSERT INTO clicks AS c (message_id, link_id, project_id, owner_id, machine, at)
  SELECT DISTINCT ON (message_id, link_id) message_id, link_id, project_id, owner_id, machine, at FROM made
  ORDER BY message_id, link_id, machine IS NOT NULL, at
  ON CONFLICT (message_id, link_id) DO UPDATE SET machine = NULL, at = excluded.at
    WHERE c.machine IS NOT NULL AND excluded.machine IS NULL
  RETURNING link_id, machine, xmax <> 0 AS was_machine
), counts AS (
  SELECT link_id, count(*) FILTER (WHERE machine IS NULL) AS humans,
    count(*) FILTER (WHERE machine IS NOT NULL) - count(*) FILTER (WHERE was_machine) AS machines, 0::int8 AS anonymous
  FROM stored GROUP BY link_id
  UNION ALL SELECT id, 0, 0, number FROM unnest($5::uuid[], $6::int8[]) AS g (id, number)
), summed AS (
  SELECT link_id, sum(humans) AS humans, sum(machines) AS machines, sum(anonymous) AS anonymous FROM counts GROUP BY 1
), counted AS (
  UPDATE click_links AS l SET humans = l.humans + s.humans, machines = l.machines + s.machines,
    anonymous = l.anonymous + s.anonymous
  FROM summed AS s JOIN locked AS k ON k.id = s.link_id WHERE l.id = k.id
)
SELECT array_agg(place) FILTER (WHERE machine IS NULL) AS humans, count(machine) AS machines FROM made
"""  # noqa: S608  our own words


class Request(NamedTuple):
    """A request for a link, as far as its click is concerned."""

    ids: bytes  # of the message, and of the link
    at: datetime
    is_head: bool
    is_private: bool  # by Global Privacy Control
    agent: str
    network: str  # of the client

    @property
    def link_id(self) -> UUID:
        """Returns the id of the link."""
        return UUID(bytes=self.ids[16:])


class ClickRecorder:
    """Records the clicks that this process has answered."""

    def __init__(self, services: Services) -> None:
        self._db = services.db
        self._of_network = Budget(services.limiter, OF_NETWORK)
        self._of_all = Budget(services.limiter, OF_ALL)
        self._queue: deque[Request] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._dropped, self._log_at = 0, 0.0
        self._of_minute: dict[str, int] = {}  # clicks of each address
        self._minute_ends = 0.0
        # By the bytes of message and link: those of which the click of a person is stored.
        self._remembered: LRUCache[bytes, bool] = LRUCache(_REMEMBERED)

    @classmethod
    def of(cls, services: Services) -> "ClickRecorder":
        """Returns the one recorder of the process."""
        return services.single(cls, lambda: cls(services), cls.close)

    def is_stored(self, ids: bytes) -> bool:
        """Returns whether the click of a person on the link of this message is stored: nothing can change that."""
        if is_stored := ids in self._remembered:
            _AGAIN.inc()
        return is_stored

    def record(self, request: Request) -> None:
        """Queues a click, unless too many wait. It does not wait."""
        if self._count(request.network) > OF_NETWORK.count:
            CLICKS.labels("limited").inc()
            return
        if len(self._queue) >= MOST_WAITING:
            self._drop(1)
            return
        self._queue.append(request)
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                with suppress(TimeoutError):
                    async with asyncio.timeout(FLUSH_SECONDS):
                        await self._closing.wait()
                fault_point("click.answered")
                batch = [self._queue.popleft() for _ in range(min(_TOGETHER, len(self._queue)))]
                try:
                    await self._store(await self._admitted(batch))
                except Exception:
                    log.exception("clicks could not be stored", clicks=len(batch))
                    self._drop(len(batch))
        finally:
            self._task = None

    async def _admitted(self, batch: Sequence[Request]) -> Sequence[Request]:
        """Returns the clicks that a flood does not have too many of: of its network, and of all together."""
        admitted = [request for request in batch if await self._is_admitted(request.network)]
        # Last, so that what one network has too many of does not count for all others.
        if admitted and not (await self._of_all.take("all", len(admitted))).allowed:
            admitted = []
        CLICKS.labels("limited").inc(len(batch) - len(admitted))
        return admitted

    async def _is_admitted(self, network: str) -> bool:
        return self._of_minute.get(network, 0) <= FREE or (await self._of_network.take(network, 1)).allowed

    def _count(self, network: str) -> int:
        """Counts a click of a network. Returns how many it has in this minute, so that a flood takes no room of the
        queue.
        """
        now = time.monotonic()
        if now >= self._minute_ends or len(self._of_minute) >= _ADDRESSES:
            self._of_minute.clear()
            self._minute_ends = now + OF_NETWORK.seconds
        count = self._of_minute[network] = self._of_minute.get(network, 0) + 1
        return count

    def _drop(self, count: int) -> None:
        CLICKS.labels("dropped").inc(count)
        self._dropped += count
        if (now := time.monotonic()) >= self._log_at:
            log.warning("clicks could not be counted; their links have worked", clicks=self._dropped)
            self._dropped, self._log_at = 0, now + _LOG_SECONDS

    async def _store(self, requests: Sequence[Request]) -> None:
        if not requests:
            return
        of_messages = [(request, _machine(request)) for request in requests if not request.is_private]
        private = (request for request in requests if request.is_private and _machine(request) is None)
        anonymous = Counter(request.link_id for request in private)
        arguments = (
            [UUID(bytes=request.ids[:16]) for request, _ in of_messages],
            [request.link_id for request, _ in of_messages],
            [request.at for request, _ in of_messages],
            [machine and machine.value for _, machine in of_messages],
            [*anonymous],
            [*anonymous.values()],
        )

        async def write() -> Any:
            async with self._db.reading() as db:
                return await db.fetchrow(_RECORD, *arguments)

        stored = await until_done(write, seconds=SECONDS)
        humans = stored["humans"] or ()
        for index in humans:
            self._remembered[of_messages[index - 1][0].ids] = True
        CLICKS.labels("human").inc(len(humans))
        CLICKS.labels("machine").inc(stored["machines"])
        CLICKS.labels("anonymous").inc(sum(anonymous.values()))

    async def close(self) -> None:
        """Stores what waits, within a bounded time."""
        self._closing.set()
        if (task := self._task) is not None:
            await asyncio.wait({task}, timeout=SECONDS)
            await end({task})


def _machine(request: Request) -> ClickMachine | None:
    """Returns the sign of a machine that a request itself has; when it came is compared with the message's row."""
    if request.is_head:
        return ClickMachine.head
    return ClickMachine.crawler if is_crawler(request.agent) else None
