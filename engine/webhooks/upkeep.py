"""Limits undelivered events: dead letters, bounds, and deletion after a time."""

from datetime import datetime, timedelta
from math import inf
from typing import Any

import structlog

from db.query import execute_planned
from db.session import Database
from engine.jobs import every
from engine.webhooks import backoff
from engine.webhooks.outbox import MAY_READ
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

SECONDS = 60.0
MOST_WAITING = 100_000  # events of one endpoint; the oldest beyond that become dead
MOST_DEAD = 100_000  # of one endpoint; the oldest beyond that are deleted
MOST_DELIVERED = 1000  # of one endpoint; the oldest beyond that are deleted
MOST_FREED = 20_000  # events in one round that no longer wait for a failed one; the next round frees others
DELIVERED_RETENTION = timedelta(days=3)
ROWS = 5000
"""Rows per statement, few enough for the statement time-out."""

_WAITING, _DEAD, _DELIVERED = "state = 'waiting'", "state = 'dead'", "state = 'delivered'"
# An untried event of a working endpoint is never too old, unless its owner isn't active. Those of a webhook of a feed
# wait while it is disabled, or its owner suspended. `seq` is in the order of
# `created_at`.
_OLD = f"""
WITH heads AS (
  SELECT d.id, u.status = 'active' AS active FROM webhooks AS w JOIN users AS u ON u.id = w.owner_id
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.{_WAITING} ORDER BY d.seq LIMIT 1000
  ) AS d
  WHERE (
    SELECT d.created_at FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.{_WAITING} ORDER BY d.seq LIMIT 1
  ) < $1 AND d.created_at < $1 AND (w.account_id IS NOT NULL OR w.is_callback OR (w.enabled AND u.status = 'active'))
    AND (d.attempts > 0 OR w.failures > 0 OR NOT w.enabled OR u.status <> 'active')
), old AS (SELECT id, active FROM heads LIMIT {ROWS})
UPDATE webhook_deliveries AS d SET state = 'dead', dead_at = $2, next_at = NULL, behind_failed = false,
  last_error = COALESCE(d.last_error, CASE WHEN old.active THEN 'its endpoint did not work for 76 hours'
    ELSE 'its owner is not active' END)
FROM old WHERE d.id = old.id AND d.state = 'waiting'
"""  # noqa: S608  our own words


def _full(which: str) -> str:
    """Returns SQL for `seq` of the newest delivery beyond the limit, of each webhook."""
    return f"""
SELECT w.id, (
  SELECT d.seq FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.{which} ORDER BY d.seq DESC OFFSET $1
    LIMIT 1
) AS last FROM webhooks AS w
"""  # noqa: S608  our own words


_OVERFLOW = f"""
UPDATE webhook_deliveries SET state = 'dead', dead_at = $3, next_at = NULL, behind_failed = false, last_error = $4
WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND {_WAITING} AND seq <= $2 ORDER BY seq LIMIT {ROWS}
)
"""  # noqa: S608  our own words
_SAY = "UPDATE webhooks SET last_error = $2 WHERE id = $1"
_TOO_MANY_DEAD, _TOO_MANY_DELIVERED = (
    f"""
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND {which} AND seq <= $2 ORDER BY seq LIMIT {ROWS}
)
"""  # noqa: S608  our own words
    for which in (_DEAD, _DELIVERED)
)
_OLD_DELIVERED = f"""
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE {_DELIVERED} AND delivered_at < $1 ORDER BY delivered_at LIMIT {ROWS}
)
"""  # noqa: S608  our own words
_EXPIRED = f"""
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE {_DEAD} AND dead_at < $1 ORDER BY dead_at LIMIT {ROWS}
)
"""  # noqa: S608  our own words
# Those of an event feed are paused where their events are read (feed.py).
_MAY_NOT_READ = f"""
UPDATE webhooks SET enabled = false, version = version + 1, updated_at = now(), disabled_reason =
  'its API token has ended, or its token or member may not see messages (messengers:read); save the webhook again'
WHERE id IN (
  SELECT w.id FROM webhooks AS w LEFT JOIN api_tokens AS t ON t.id = w.api_token_id
  WHERE w.account_id IS NOT NULL AND w.enabled AND (w.api_token_id IS NOT NULL OR w.saved_by IS NOT NULL)
    AND NOT ({MAY_READ}) LIMIT 100
)
"""  # noqa: S608  our own words
# A deleted account's last events may still be delivered; then its endpoints are deleted.
_LEFT = """
DELETE FROM webhooks WHERE id IN (
  SELECT w.id FROM messenger_accounts AS a JOIN webhooks AS w ON w.account_id = a.id
  WHERE a.deleted_at < $1 LIMIT 100
)
"""
# A host of status callbacks that is not used any more, when its last deliveries are gone.
_UNUSED_CALLBACKS = """
DELETE FROM webhooks WHERE id IN (
  SELECT w.id FROM webhooks AS w WHERE w.is_callback AND w.used_until < $1
    AND NOT EXISTS (SELECT FROM webhook_deliveries AS d WHERE d.webhook_id = w.id) LIMIT 100
)
"""
_OF_DELETED_USER = (
    "FROM users AS u JOIN webhooks AS w ON w.owner_id = u.id AND u.status = 'deleted'"
    " AND w.account_id IS NULL"
)
# The deliveries first: by cascade they could be too many for one statement.
_OF_DELETED_USERS = (
    f"""
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT d.id {_OF_DELETED_USER} JOIN webhook_deliveries AS d ON d.webhook_id = w.id LIMIT {ROWS}
)
""",  # noqa: S608  our own words
    f"DELETE FROM webhooks WHERE id IN (SELECT w.id {_OF_DELETED_USER} LIMIT 100)",  # noqa: S608
)
# The failed event before these is gone: it became a dead letter, they are very many, or a process that had lost its
# claim has stored its success.
_NOT_BEHIND = f"""
WITH threads AS MATERIALIZED (
  SELECT DISTINCT webhook_id, thread FROM webhook_deliveries WHERE {_WAITING} AND behind_failed
), free AS MATERIALIZED (
  SELECT * FROM threads AS t WHERE NOT EXISTS (
    SELECT FROM webhook_deliveries AS failed WHERE failed.webhook_id = t.webhook_id AND failed.{_WAITING}
      AND failed.next_at IS NOT NULL AND failed.thread = t.thread
  ) LIMIT 1000
)
UPDATE webhook_deliveries SET behind_failed = false WHERE id IN (
  SELECT d.id FROM free JOIN webhook_deliveries AS d
    ON d.webhook_id = free.webhook_id AND d.thread = free.thread AND d.{_WAITING} AND d.behind_failed
  ORDER BY d.webhook_id, d.thread, d.seq LIMIT {ROWS}
) AND {_WAITING}
"""  # noqa: S608  our own words
OVERFLOWED = f"more than {MOST_WAITING:,} events waited, so the oldest became dead letters"


@every(SECONDS, due="EXISTS (SELECT FROM webhooks)")
async def keep_up(services: Services) -> None:
    """Runs one round."""
    await look_after(services.db, services.db.now())


async def look_after(
    db: Database,
    now: datetime,
    *,
    most_waiting: int = MOST_WAITING,
    most_dead: int = MOST_DEAD,
    most_freed: int = MOST_FREED,
) -> None:
    """Runs one round. Several processes may do so at once."""
    await _all(db, _MAY_NOT_READ)
    buried = await _all(db, _OLD, now - backoff.OLDEST, now)
    for webhook, last in await _beyond(db, _WAITING, most_waiting):
        async with db.reading() as connection:
            await connection.execute(_SAY, webhook, OVERFLOWED)
        buried += await _all(db, _OVERFLOW, webhook, last, now, OVERFLOWED)
    if buried:
        log.warning("events became dead letters", events=buried)
    await _all(db, _EXPIRED, now - backoff.DEAD_LETTER_RETENTION)
    for webhook, last in await _beyond(db, _DEAD, most_dead):
        await _all(db, _TOO_MANY_DEAD, webhook, last)
    await _all(db, _OLD_DELIVERED, now - DELIVERED_RETENTION)
    for webhook, last in await _beyond(db, _DELIVERED, MOST_DELIVERED):
        await _all(db, _TOO_MANY_DELIVERED, webhook, last)
    await _all(db, _LEFT, now - backoff.OLDEST)
    await _all(db, _UNUSED_CALLBACKS, now)
    for statement in _OF_DELETED_USERS:
        await _all(db, statement)
    # Last, as it may be long: pruning must not wait for it.
    await _all(db, _NOT_BEHIND, most=most_freed)


async def _beyond(db: Database, which: str, most: int) -> list[tuple[Any, int]]:
    return [(row["id"], row["last"]) for row in await db.fetch(_full(which), most) if row["last"] is not None]


async def _all(db: Database, statement: str, *arguments: Any, most: float = inf) -> int:
    """Repeats a statement until it changes nothing, or has changed `most` rows. Returns the number of rows."""
    done = 0
    while True:
        changed = await execute_planned(db, statement, *arguments)
        done += changed
        if not changed or done >= most:
            return done
