"""Reports that came before their message was known. They are kept for 72 hours.

Each source of reports has a scope of its own, with a bound: a user's engine that of its owner, a channel that of its
route.

Each is kept with its source: whether the owner's delivery hook said so, or the way that takes the message.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg
import orjson
import structlog

log = structlog.get_logger("postern.engine")

MOST_EARLY: Final = 100_000
"""The most reports of one scope, and some. The oldest of more are dropped."""

_COUNTED = 100  # every so many reports their scope is counted

# JSON as text: a session's connection has other codecs than a pool's. A report that is repeated within five minutes is
# kept once. After that the number may be another message's, for which one from before its hand-over does not count.
_KEEP = """
INSERT INTO early_reports (scope, key, event, by_hook)
SELECT r.scope, r.key, r.event::jsonb, r.by_hook
FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[]) WITH ORDINALITY AS r (scope, key, event, by_hook, place)
WHERE NOT EXISTS (
  SELECT FROM early_reports AS e WHERE e.scope = r.scope AND e.key = r.key AND e.event = r.event::jsonb
    AND e.by_hook = r.by_hook AND e.received_at > now() - interval '5 minutes'
)
ORDER BY r.place
RETURNING id
"""
_FULL = """
SELECT s.scope FROM unnest($1::text[]) AS s (scope)
WHERE $2::int < (SELECT count(*) FROM (SELECT FROM early_reports AS e WHERE e.scope = s.scope LIMIT $2::int + 1) AS few)
"""
_DROP = """
DELETE FROM early_reports WHERE id = ANY(ARRAY(
  SELECT id FROM early_reports WHERE scope = $1 ORDER BY received_at DESC, id DESC OFFSET $2
))
"""
# A report by our own id belongs to the message at whatever time it came: without a time it gets the present one. A
# report of the owner's hook waits until the route has answered.
_POP = """
WITH mine AS (
  SELECT id, handed_at, 'owner:' || owner_id AS owner, 'route:' || provider AS route, provider_message_id, report_id,
    {status} NOT IN ('queued', 'sending') AS answered
  FROM {name}
  WHERE id = ANY($1) AND direction = 'outbound' AND ({status} <> 'queued' OR handed_at IS NOT NULL)
), found AS (
  SELECT e.id AS place, m.id, m.handed_at FROM mine AS m
  JOIN early_reports AS e ON e.scope = m.owner AND e.key = m.id::text AND (m.answered OR NOT e.by_hook)
  UNION ALL
  SELECT e.id, m.id, m.handed_at FROM mine AS m
  JOIN early_reports AS e ON e.scope = m.owner AND e.key IN (m.provider_message_id, m.report_id)
    AND (m.answered OR NOT e.by_hook)
  UNION ALL
  SELECT e.id, m.id, m.handed_at FROM mine AS m JOIN early_reports AS e
    ON e.scope = m.route AND e.key IN (COALESCE(m.report_id, m.provider_message_id), m.id::text)
), gone AS (
  DELETE FROM early_reports WHERE id = ANY(ARRAY(SELECT place FROM found))
  RETURNING id, scope, key, event::text AS event, received_at, by_hook
)
SELECT DISTINCT ON (gone.id) gone.*, found.id AS message_id,
  CASE WHEN gone.event::jsonb ->> 'at' IS NOT NULL OR gone.key <> found.id::text
    THEN LEAST(COALESCE((gone.event::jsonb ->> 'at')::timestamptz, gone.received_at), gone.received_at) END AS at
FROM gone JOIN found ON found.place = gone.id ORDER BY gone.id, found.handed_at DESC NULLS LAST
"""
_RECENT = """
SELECT DISTINCT key FROM (
  SELECT key FROM early_reports WHERE received_at BETWEEN now() - interval '10 minutes' AND now() - interval '1 minute'
  ORDER BY received_at DESC LIMIT $1
) AS recent
"""


@dataclass(frozen=True, slots=True)
class EarlyReport:
    """A report to keep. `key`: the message's id, or the provider's; `event`: a value of JSON."""

    scope: str
    key: str
    event: dict[str, Any]
    by_hook: bool  # the owner's delivery hook said so


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report that was kept, and the message that it is about."""

    entry: EarlyReport
    message_id: UUID
    at: datetime | None  # not after it was received

    @property
    def route(self) -> str | None:
        """Returns the label of the route that reported; None: a user's engine or a messenger did."""
        kind, _, label = self.entry.scope.partition(":")
        return label if kind == "route" else None

    @property
    def event(self) -> dict[str, Any]:
        """Returns the report."""
        return self.entry.event


def scope_of(owner_id: UUID | None, provider: str | None) -> str:
    """Returns the scope of a user's engine, or of a channel's route."""
    return f"owner:{owner_id}" if owner_id is not None else f"route:{provider}"


async def keep(db: asyncpg.Connection, reports: Sequence[EarlyReport]) -> None:
    """Stores reports about messages that are not known yet. In the caller's transaction."""
    rows = {
        (report.scope, report.key, orjson.dumps(report.event).decode(), report.by_hook): None
        for report in reports
    }
    if not rows:
        return
    stored = await db.fetch(_KEEP, *map(list, zip(*rows, strict=True)))
    if any(row["id"] % _COUNTED == 0 for row in stored):
        await _bound(db, {scope for scope, *_ in rows})


async def _bound(db: asyncpg.Connection, scopes: Collection[str]) -> None:
    """Drops the oldest reports of scopes that have too many."""
    for row in await db.fetch(_FULL, sorted(scopes), MOST_EARLY):
        await db.execute(_DROP, row["scope"], MOST_EARLY - MOST_EARLY // 100)
        log.warning("too many reports are about unknown messages", scope=row["scope"], most=MOST_EARLY)


def pop_statement(table: str, status: str) -> str:
    """Returns the statement for `pop`, for a table of sent messages and its column with the status."""
    return _POP.format(name=table, status=status)


async def pop(db: asyncpg.Connection, statement: str, ids: Sequence[UUID]) -> list[StoredReport]:
    """Removes and returns the reports about these messages, in the order in which they came.

    `statement`: of the messages' table (`pop_statement`). In the caller's transaction.
    """
    return [
        StoredReport(
            EarlyReport(
                row["scope"], row["key"], {**orjson.loads(row["event"]), "at": row["at"]}, row["by_hook"]
            ),
            row["message_id"],
            row["at"],
        )
        for row in await db.fetch(statement, ids)
    ]


async def recent_keys(db: asyncpg.Connection, most: int) -> list[str]:
    """Returns the keys of reports that came one to ten minutes ago."""
    return [row["key"] for row in await db.fetch(_RECENT, most)]
