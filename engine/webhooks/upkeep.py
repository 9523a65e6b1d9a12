"""Limits undelivered events: dead letters, bounds, and deletion after a time."""

from datetime import datetime
from typing import Any

import structlog

from db.session import Database
from engine.jobs import every
from engine.webhooks import backoff
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

SECONDS = 60.0
ORPHANS_SECONDS = 900.0
MOST_WAITING = 100_000  # events of one endpoint; the oldest beyond that become dead
MOST_DEAD = 100_000  # of one endpoint; the oldest beyond that are deleted
BITE = 5000
"""Rows per statement, few enough for the statement time-out."""

_WITH_EVENTS = """
WITH RECURSIVE named (id) AS (
  (SELECT webhook_id FROM messenger_deliveries ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT d.webhook_id FROM messenger_deliveries AS d WHERE d.webhook_id > named.id ORDER BY d.webhook_id LIMIT 1
  ) FROM named WHERE named.id IS NOT NULL
)
"""
# An untried event of a working endpoint is never too old, unless its owner isn't active. `seq` is in the order of
# `created_at`.
_OLD = f"""
{_WITH_EVENTS}, heads AS (
  SELECT d.id, u.status = 'active' AS active FROM named JOIN messenger_webhooks AS w ON w.id = named.id AND (
    SELECT d.created_at FROM messenger_deliveries AS d WHERE d.webhook_id = w.id AND NOT d.dead
    ORDER BY d.seq LIMIT 1
  ) < $1
  JOIN messenger_accounts AS a ON a.id = w.account_id JOIN users AS u ON u.id = a.owner_id
  CROSS JOIN LATERAL (
    SELECT * FROM messenger_deliveries AS d WHERE d.webhook_id = w.id AND NOT d.dead ORDER BY d.seq LIMIT 1000
  ) AS d
  WHERE d.created_at < $1 AND (d.attempts > 0 OR w.failures > 0 OR NOT w.enabled OR u.status <> 'active')
), old AS (SELECT id, active FROM heads LIMIT {BITE})
UPDATE messenger_deliveries AS d SET dead = true, dead_at = $2, next_at = NULL,
  last_error = COALESCE(d.last_error, CASE WHEN old.active THEN 'its endpoint did not work for 76 hours'
    ELSE 'the owner of the account is not active' END)
FROM old WHERE d.id = old.id AND NOT d.dead
"""  # noqa: S608  our own words
# Returns `seq` of the newest delivery beyond the limit.
_FULL = f"""
{_WITH_EVENTS}
SELECT w.id, (
  SELECT d.seq FROM messenger_deliveries AS d WHERE d.webhook_id = w.id AND d.dead = $1
  ORDER BY d.seq DESC OFFSET $2 LIMIT 1
) AS last FROM named JOIN messenger_webhooks AS w ON w.id = named.id
"""  # noqa: S608  our own words
_OVERFLOW = f"""
UPDATE messenger_deliveries SET dead = true, dead_at = $3, next_at = NULL, last_error = $4 WHERE id IN (
  SELECT id FROM messenger_deliveries WHERE webhook_id = $1 AND NOT dead AND seq <= $2 ORDER BY seq LIMIT {BITE}
)
"""  # noqa: S608  our own words
_SAY = "UPDATE messenger_webhooks SET last_error = $2 WHERE id = $1"
_TOO_MANY_DEAD = f"""
DELETE FROM messenger_deliveries WHERE id IN (
  SELECT id FROM messenger_deliveries WHERE webhook_id = $1 AND dead AND seq <= $2 ORDER BY seq LIMIT {BITE}
)
"""  # noqa: S608  our own words
_EXPIRED = f"""
DELETE FROM messenger_deliveries WHERE id IN (
  SELECT id FROM messenger_deliveries WHERE dead AND dead_at < $1 ORDER BY dead_at LIMIT {BITE}
)
"""  # noqa: S608  our own words
# Two endpoints that accept the last deliveries of an event at the same time leave the event behind. The hour is longer
# than any transaction that might still insert a delivery. Ids are in the order of time, so each batch continues after
# the last one.
_ORPHANS = f"""
WITH bite AS (
  SELECT id FROM messenger_events WHERE id > $1 AND created_at < now() - interval '1 hour' ORDER BY id LIMIT {BITE}
), gone AS (
  DELETE FROM messenger_events AS e USING bite WHERE e.id = bite.id
    AND NOT EXISTS (SELECT FROM messenger_deliveries AS d WHERE d.event_id = e.id)
)
SELECT id FROM bite ORDER BY id DESC LIMIT 1
"""  # noqa: S608  our own words
# A deleted account's last events may still be delivered; then its endpoints are deleted.
_LEFT = """
DELETE FROM messenger_webhooks WHERE id IN (
  SELECT w.id FROM messenger_accounts AS a JOIN messenger_webhooks AS w ON w.account_id = a.id
  WHERE a.deleted_at < $1 LIMIT 100
)
"""
OVERFLOWED = f"more than {MOST_WAITING:,} events waited, so the oldest became dead letters"


@every(SECONDS)
async def keep_up(services: Services) -> None:
    """Runs one round."""
    await look_after(services.db, services.db.now())


async def look_after(
    db: Database, now: datetime, *, most_waiting: int = MOST_WAITING, most_dead: int = MOST_DEAD
) -> None:
    """Runs one round. Several processes may do so at once."""
    buried = await _all(db, _OLD, now - backoff.OLDEST, now)
    for webhook, last in await _beyond(db, False, most_waiting):
        async with db.reading() as connection:
            await connection.execute(_SAY, webhook, OVERFLOWED)
        buried += await _all(db, _OVERFLOW, webhook, last, now, OVERFLOWED)
    if buried:
        log.warning("events became dead letters", events=buried)
    await _all(db, _EXPIRED, now - backoff.DEAD_LETTER_RETENTION)
    for webhook, last in await _beyond(db, True, most_dead):
        await _all(db, _TOO_MANY_DEAD, webhook, last)
    await _all(db, _LEFT, now - backoff.OLDEST)


async def _beyond(db: Database, dead: bool, most: int) -> list[tuple[Any, int]]:
    return [(row["id"], row["last"]) for row in await db.fetch(_FULL, dead, most) if row["last"] is not None]


async def _all(db: Database, statement: str, *arguments: Any) -> int:
    """Repeats a statement until it changes nothing. Returns the number of rows."""
    done = 0
    while True:
        async with db.reading() as connection:
            changed = int((await connection.execute(statement, *arguments)).rpartition(" ")[2])
        done += changed
        if not changed:
            return done


@every(ORPHANS_SECONDS)
async def forget_orphans(services: Services) -> None:
    """Deletes events without deliveries. Reads all waiting events, so it runs rarely."""
    last: Any = "00000000-0000-0000-0000-000000000000"
    while last is not None:
        last = await services.db.fetchval(_ORPHANS, last)
