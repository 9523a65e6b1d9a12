"""Counts the messages that wait, and those that wait for each open breaker: one answer for doctor, metrics and console.

A message waits since its owner asked for it: a direct message since it was accepted, or since the time for which it
is scheduled, a message of a project since it was queued (`sending_units.first_due_at`). A retry, a breaker or a rate
moves `due_at` and neither of these.
"""

import asyncio
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from db.models.message_chains import NEVER
from db.query import Reads
from runtime import breakers
from runtime.routes import Routes
from shapes.sending_projects import ProjectChannel

MOST: Final = 100_000
"""Messages that are counted, of those that wait for one of several routes."""

BOUND: Final = 1.0
"""Seconds that the count of these may take."""

_SHARE: Final = 20  # a result is kept this many times as long as its queries took

# ix_messages_due has all that this asks for of queued messages. A worker claims up to 500, of which most wait while its
# provider hangs with the others. A scheduled message waits since the time for which it is scheduled.
_DIRECT: Final = f"""
SELECT channel, count(*) AS queued, count(*) AS waiting, min(COALESCE(send_at, created_at)) AS since FROM messages
WHERE state = 'queued' AND (send_at IS NULL OR send_at <= now())
  AND due_at < {NEVER} GROUP BY channel
UNION ALL
SELECT channel, 0, count(*) FILTER (WHERE handed_at IS NULL), min(COALESCE(send_at, created_at)) FROM messages
WHERE claim_id IS NOT NULL AND state = 'sending' GROUP BY channel
"""  # noqa: S608  our own words
# A window that was closed was the owner's wish: what has waited for one waits since it opened.
SINCE: Final = """LEAST(
  (SELECT min(first_due_at) FROM sending_units WHERE project_id = p.id AND NOT for_window),
  CASE WHEN p.window IS NOT NULL THEN
    (SELECT min(due_at) FROM sending_units WHERE project_id = p.id AND for_window AND due_at <= now())
  END
)"""
"""Since when messages of a project `p` wait, as an SQL expression."""

RUNS: Final = "p.status = 'running' AND p.status_reason IS DISTINCT FROM 'window_closed'"
"""The condition on a project `p` whose messages could be sent now."""

_PROJECTS: Final = f"""
SELECT p.channel, sum(c.queued)::int8 AS waiting, min(u.since) AS since,
  COALESCE(sum(c.queued) FILTER (WHERE p.account_uuids = '{{}}'), 0)::int8 AS by_routes,
  min(u.since) FILTER (WHERE p.account_uuids = '{{}}') AS by_routes_since
FROM sending_projects AS p
CROSS JOIN LATERAL (
  SELECT COALESCE(sum(queued), 0)::int8 AS queued FROM sending_counters WHERE project_id = p.id
) AS c
CROSS JOIN LATERAL (SELECT {SINCE} AS since) AS u
WHERE {RUNS} GROUP BY p.channel
"""  # noqa: S608  our own conditions
# Others of the channel go by another route: these may only go by one that does not answer.
_STUCK: Final = f"""
SELECT count(*) AS waiting, min(since) AS since FROM (
  (SELECT COALESCE(send_at, created_at) AS since FROM messages
   WHERE state = 'queued' AND due_at < {NEVER} AND channel = $1 AND failure_code = '{breakers.CODE}' LIMIT {MOST})
  UNION ALL
  (SELECT m.queued_at FROM sending_projects AS p JOIN message_records AS m ON m.project_id = p.id
   WHERE {RUNS} AND p.channel = $1 AND m.failure_code = '{breakers.CODE}' AND m.status = 'queued' LIMIT {MOST})
) AS stuck
"""  # noqa: S608  our own conditions


@dataclass(frozen=True, slots=True)
class Waiting:
    """Messages that wait."""

    number: int = 0
    since: datetime | None = None  # since when the one waits that waits longest

    def __add__(self, other: "Waiting") -> "Waiting":
        times = [time for time in (self.since, other.since) if time is not None]
        return Waiting(self.number + other.number, min(times, default=None))

    def seconds(self, now: datetime) -> float:
        """Returns how long the message has waited that waits longest; 0 if there is none."""
        return max((now - self.since).total_seconds(), 0.0) if self.since is not None else 0.0


@dataclass(frozen=True, slots=True)
class Backlogs:
    """All that waits, by channel."""

    queued: Mapping[
        str, int
    ]  # direct messages in the state `queued`, without those that are scheduled for later
    direct: Mapping[str, Waiting]  # these, and those that a worker has claimed and not handed over
    projects: Mapping[str, Waiting]  # of running projects whose window is open
    by_routes: Mapping[str, Waiting]  # those of them that go by a route, and not through messenger accounts

    @property
    def all_direct(self) -> Waiting:
        """Returns the direct messages of all channels."""
        return sum(self.direct.values(), Waiting())

    @property
    def all_projects(self) -> Waiting:
        """Returns the projects' messages of all channels."""
        return sum(self.projects.values(), Waiting())


@dataclass(frozen=True, slots=True)
class RouteBacklog:
    """A breaker that is open, and what waits for it."""

    name: str  # of the route, without host; `account` for all messenger accounts
    channel: str | None  # None: of messenger accounts
    opened_at: datetime
    waiting: Waiting | None  # None: not known
    whole: bool = False  # no other route of its channel takes messages

    @property
    def waits(self) -> bool:
        """Returns whether a message waits for it, as far as is known."""
        return self.waiting is None or self.waiting.number > 0


class BacklogReader:
    """Reads what waits for all callers of a process, using at most a twentieth of the time for it."""

    def __init__(self, db: Reads) -> None:
        self._db, self._lock, self._until = db, asyncio.Lock(), 0.0
        self._last = Backlogs({}, {}, {}, {})

    async def read(self) -> Backlogs:
        """Returns what waits, or has waited a moment ago."""
        async with self._lock:
            if (begun := time.monotonic()) >= self._until:
                self._last = await backlogs(self._db)
                ended = time.monotonic()
                self._until = ended + _SHARE * (ended - begun)
            return self._last


async def backlogs(db: Reads) -> Backlogs:
    """Returns what waits at this moment. Each part reads counters or one index."""
    direct = await db.fetch(_DIRECT)
    projects = await db.fetch(_PROJECTS)
    by_channel: dict[str, Waiting] = {}
    for row in direct:
        waiting = Waiting(row["waiting"], row["since"])
        by_channel[row["channel"]] = by_channel.get(row["channel"], Waiting()) + waiting
    return Backlogs(
        {row["channel"]: row["queued"] for row in direct if row["queued"]},
        by_channel,
        {row["channel"]: Waiting(row["waiting"], row["since"]) for row in projects},
        {row["channel"]: Waiting(row["by_routes"], row["by_routes_since"]) for row in projects},
    )


async def route_backlogs(db: Reads, routes: Routes, all_waiting: Backlogs) -> list[RouteBacklog]:
    """Returns what waits for each open breaker, the one first that opened first; nothing while all are closed.

    If every route of a channel is open, all its messages wait for each of them. Otherwise only those wait that no other
    route may take, which their failure code says.
    """
    rows = await db.fetch(breakers.READ + "ORDER BY opened_at")
    opened: dict[str, Any] = {}
    for row in rows:
        opened.setdefault(breakers.public_name(row["name"]), row)
    if not rows:
        return []
    # Routes that take nothing. Breakers of single hosts and accounts have other names.
    closed = {row["name"] for row in [*rows, *await db.fetch("SELECT name FROM routes WHERE NOT enabled")]}
    result: list[RouteBacklog] = []
    for name, row in opened.items():
        channel = _channel_of(name, routes)
        if channel is None:
            result.append(RouteBacklog(name, None, row["opened_at"], None))
            continue
        names = [routes.name(route) for route in routes.of(channel)]
        whole = bool(names) and all(each in closed for each in names)
        if whole:
            waiting: Waiting | None = all_waiting.direct.get(channel, Waiting()) + all_waiting.by_routes.get(
                channel, Waiting()
            )
        else:
            waiting = await _stuck(db, channel)
        result.append(RouteBacklog(name, channel, row["opened_at"], waiting, whole))
    return result


async def closed_channels(db: Reads, routes: Routes) -> Collection[str]:
    """Returns the channels of which every configured route is behind an open breaker or switched off."""
    rows = await db.fetch(
        "SELECT name FROM route_breakers UNION ALL SELECT name FROM routes WHERE NOT enabled"
    )
    if not rows:
        return ()
    closed = {row["name"] for row in rows}
    kinds = {routes.kind(route) for route in routes}
    return {kind for kind in kinds if closed.issuperset(routes.name(route) for route in routes.of(kind))}


def by_name(opened: Iterable[RouteBacklog]) -> Mapping[str, RouteBacklog]:
    """Returns the open breakers by the names of their routes."""
    return {each.name: each for each in opened}


def _channel_of(name: str, routes: Routes) -> str | None:
    """Returns the channel of a route by its name; a route that administrators have made is for SMS."""
    if name == breakers.ACCOUNT:
        return None
    names: Sequence[tuple[str, str]] = [(routes.name(route), routes.kind(route)) for route in routes]
    return dict(names).get(name, ProjectChannel.sms.value)


async def _stuck(db: Reads, channel: str) -> Waiting | None:
    with suppress(TimeoutError):
        async with asyncio.timeout(BOUND):
            row = await db.fetchrow(_STUCK, channel)
            return Waiting(row["waiting"], row["since"])
    return None
