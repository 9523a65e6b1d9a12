"""Background work that is shared fairly: owners take turns, and none has more than a share at work.

    a job, or a round ──► wakes a worker ──► _take: of the owners whose work waits, one with the fewest pieces at work,
                                               and of these the one whose turn is longest ago
                                             one piece, under a lease ──► _take, until nothing waits that may be begun

The pieces that wait are rows of the kind's own table, which a statement finds, and not the jobs: so an owner who asks
for a thousand pieces has one turn of many, and no owner waits for more than one piece of another owner in each slot.
The pieces of one owner take turns by their ids. Kinds of one group of jobs share the group's slots.

All workers choose one after the other, under a lock of the group; a piece at work has a row in `leases`, with its
owner. The work of a dead worker is free when the lease ends.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from core import change_events
from core.ids import uuid7
from db.query import Reads
from engine.jobs import Group, JobName, Work, enqueue, every, job
from runtime.database_errors import translate
from runtime.leases import JobLease, Lease, keeping
from runtime.services import Services

log = structlog.get_logger("postern.fair_queue")

Piece = Callable[[Services, UUID, JobLease], Awaitable[None]]
"""Does a piece of work; or a part of it, about a second's: it is taken again while its row waits.

`lease.pause` keeps it from being taken again at once.
"""

AFTER_ERROR = timedelta(seconds=5)
"""The time after which a piece that raised an error is tried again."""

_ROUND_SECONDS = 5.0
_ALL = 1_000_000  # a share that no owner reaches
_ANY = UUID(int=0)  # the row of a job that wakes a worker for whatever waits

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('fair_queue:' || $1, 0))"
# Groups have few waiting rows, and leases are fewer still: all are read.
_TAKE = """
WITH at_work AS MATERIALIZED (
  SELECT owner_id, split_part(name, ':', 1) AS kind, count(*) AS pieces FROM leases
  WHERE owner_id IS NOT NULL AND expires_at > now() AND split_part(name, ':', 1) = ANY($2) GROUP BY 1, 2
), of_owners AS (
  SELECT owner_id, sum(pieces) AS pieces FROM at_work GROUP BY 1
), takeable AS MATERIALIZED (
  SELECT w.kind, w.owner_id, w.id FROM ({waiting}) AS w
  LEFT JOIN at_work AS a ON a.owner_id = w.owner_id AND a.kind = w.kind
  WHERE COALESCE(a.pieces, 0) < w.share AND ($3::uuid IS NULL OR w.id = $3)
    AND NOT EXISTS (SELECT FROM leases AS l WHERE l.name = w.kind || ':' || w.id AND l.expires_at > now())
), chosen AS (
  SELECT t.kind, t.owner_id, t.id FROM takeable AS t LEFT JOIN of_owners AS o ON o.owner_id = t.owner_id
  LEFT JOIN fair_shares AS u ON u.job_group = $1 AND u.owner_id = t.owner_id
  ORDER BY COALESCE(o.pieces, 0), u.taken_at NULLS FIRST, t.owner_id, t.id <= u.last_id NULLS FIRST, t.id LIMIT 1
), turn AS (
  INSERT INTO fair_shares AS u (job_group, owner_id, taken_at, last_id)
  SELECT $1, owner_id, clock_timestamp(), id FROM chosen
  ON CONFLICT (job_group, owner_id) DO UPDATE SET taken_at = EXCLUDED.taken_at, last_id = EXCLUDED.last_id
)
INSERT INTO leases AS l (name, holder, expires_at, owner_id)
SELECT kind || ':' || id, $4, clock_timestamp() + $5, owner_id FROM chosen
ON CONFLICT (name) DO UPDATE
SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at, owner_id = EXCLUDED.owner_id
RETURNING split_part(name, ':', 1) AS kind, split_part(name, ':', 2)::uuid AS id,
  (SELECT count(*) FROM (SELECT FROM takeable LIMIT 2) AS few) > 1 AS more
"""
_KIND = "SELECT '{name}' AS kind, {share} AS share, owner_id, id FROM ({waiting}) AS w"
_IS_LEASED = "EXISTS (SELECT FROM leases AS l WHERE l.name = '{name}:' || w.id AND l.expires_at > now())"
_COUNT = f"""
SELECT '{{name}}' AS kind, count(*) AS pieces, count(*) FILTER (WHERE {_IS_LEASED}) AS at_work,
  count(DISTINCT owner_id) AS owner_count
FROM ({{waiting}}) AS w
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work of which owners take turns.

    `waiting` is a statement that returns `owner_id` and `id` of all pieces that wait or are at work. It has no
    arguments, and an index answers it.
    """

    name: JobName
    group: Group
    waiting: str
    share: int
    work: Piece


@dataclass(frozen=True, slots=True)
class Backlog:
    """The work of a kind that waits or is at work: pieces, of them at work, and their owners."""

    pieces: int
    at_work: int
    owner_count: int


KINDS: dict[JobName, Kind] = {}


def fairly(name: JobName, group: Group, *, waiting: str, share: int | None = None) -> Callable[[Piece], Work]:
    """Registers a kind of work: its job, and a round that finds pieces without a job.

    `share`: pieces of one owner that may be at work at once, in all workers together; None: as many as there are slots.
    In place of the function stands one that does the piece of a row now, if it waits and its owner has a share left.
    """

    def register(work: Piece) -> Work:
        KINDS[name] = kind = Kind(name, group, waiting, share or _ALL, work)

        async def serve(services: Services, row: UUID) -> None:
            await _serve(services, group)

        async def wake(services: Services) -> None:
            async with services.db.reading() as db:
                await enqueue(db, name, _ANY, unless_queued=True)

        async def only(services: Services, row: UUID) -> None:
            await _do_next(services, [kind], row)

        wake.__name__ = f"wake_{work.__name__}"
        is_left = f"EXISTS (SELECT FROM ({waiting}) AS w WHERE NOT {_IS_LEASED.format(name=name.value)})"
        job(name, group)(serve)
        every(_ROUND_SECONDS, due=is_left)(wake)
        return only

    return register


async def backlogs(db: Reads, owner: UUID | None) -> dict[JobName, Backlog]:
    """Returns the waiting pieces of each kind; of one owner, or of all (None)."""
    parts = [_COUNT.format(name=kind.name.value, waiting=kind.waiting) for kind in KINDS.values()]
    sql = " UNION ALL ".join(f"({part} WHERE $1::uuid IS NULL OR owner_id = $1)" for part in parts)
    return {
        JobName(row["kind"]): Backlog(row["pieces"], row["at_work"], row["owner_count"])
        for row in await db.fetch(sql, owner)
    }


async def _serve(services: Services, group: Group) -> None:
    """Does one piece after the other, until nothing of the group waits that may be begun."""
    kinds = [kind for kind in KINDS.values() if kind.group == group]
    while not services.stopping.is_set() and await _do_next(services, kinds, None):
        change_events.emit()


async def _do_next(services: Services, kinds: Sequence[Kind], row: UUID | None) -> bool:
    """Does the piece whose turn it is, or only that of `row`. Returns whether there was one."""
    async with _taken(services, kinds, row) as taken:
        if taken is None:
            return False
        kind, id, lease = taken
        try:
            await kind.work(services, id, lease)
        except Exception as error:
            if row is not None:
                raise
            lease.pause = max(lease.pause, AFTER_ERROR)
            log.warning(
                "a piece of work broke off",
                job=kind.name.value,
                row=str(id),
                error=error,
                exc_info=translate(error) is None,
            )
        if services.stopping.is_set() or lease.pause:
            await _wake(services, kind.name, lease.pause)
        return True


@asynccontextmanager
async def _taken(
    services: Services, kinds: Sequence[Kind], row: UUID | None
) -> AsyncIterator[tuple[Kind, UUID, JobLease] | None]:
    seconds = services.settings.lease_seconds
    holder, own, group = uuid7(), Lease(seconds=seconds), kinds[0].group
    waiting = " UNION ALL ".join(
        _KIND.format(name=kind.name.value, share=kind.share, waiting=kind.waiting) for kind in kinds
    )
    async with services.db.transaction() as db:
        await db.execute(_LOCK, group)
        names = [kind.name.value for kind in kinds]
        taken: Any = await db.fetchrow(
            _TAKE.format(waiting=waiting), group, names, row, holder, timedelta(seconds=seconds)
        )
        if taken is not None and taken["more"] and row is None:  # for another slot, of any worker
            await enqueue(db, kinds[0].name, _ANY, unless_queued=True)
    if taken is None:
        yield None
        return
    kind = KINDS[JobName(taken["kind"])]
    lease = JobLease(f"{kind.name.value}:{taken['id']}", holder, own)
    async with keeping(services.db, lease, seconds):
        yield kind, taken["id"], lease


async def _wake(services: Services, name: JobName, delay: timedelta) -> None:
    async with services.db.reading() as db:
        await enqueue(db, name, _ANY, delay=delay, unless_queued=True)
