"""Finds routes that accept the SMS to a prefix and deliver nothing, so that others are tried before them.

    in order ── under 1 % of an hour's messages have a receipt, a fifth had one before ──► degraded: tried last
       ▲                                                                                      │      ▲
       │                                                                       15 minutes     ▼      │ no receipts
       └────────────────────────── receipts ◄────────── trial: one of TRIAL numbers has the old order

The last MINUTES_OF_GRACE are left out, as a receipt takes its time. A route is never removed: a message whose rules
name no other one goes by it.

One user can't push a route down for others: several groups of users must have got nothing, and none of them may have
got a tenth of its messages. A user who writes to numbers that do not exist is one group.
"""

from collections.abc import Sequence
from typing import Any, Final

import asyncpg
import structlog

from engine.jobs import every
from runtime.services import Services

log = structlog.get_logger("postern.sending")

LEAST_SENT: Final = 100
LEAST_OF_GROUP: Final = 10
"""Messages of a group of users, below which it says nothing."""
LEAST_GROUPS: Final = 3
"""Groups of users that got nothing."""
MINUTES_OF_GRACE: Final = 10
RETRY_MINUTES: Final = 15
LEAST_TRIAL: Final = 20
"""Messages of a trial, of which fewer than a tenth have receipts, after which it has failed."""
_ROUND_SECONDS: Final = 30

# The hour is from 70 minutes ago, or since the route was in order again, up to 10 to 15 minutes ago, since a row has
# five minutes. A receipt counts up to now. The day before it is that of the prefix, or of the whole route if few
# messages went to the prefix then.
_GROUPS: Final = f"""
SELECT r.route, r.prefix,
  COALESCE(sum(r.sent) FILTER (WHERE r.since >= s.begin AND r.since < s.grace), 0) AS sent,
  COALESCE(sum(r.delivered) FILTER (WHERE r.since >= s.begin), 0) AS delivered,
  COALESCE(sum(r.sent) FILTER (WHERE r.since < s.hour), 0) AS sent_before,
  COALESCE(sum(r.delivered) FILTER (WHERE r.since < s.hour), 0) AS delivered_before
FROM route_receipts AS r
LEFT JOIN degraded_routes AS d ON d.route = r.route AND d.prefix = r.prefix
CROSS JOIN LATERAL (SELECT now() - interval '70 minutes' AS hour,
  GREATEST(now() - interval '70 minutes', d.ended_at) AS begin,
  now() - make_interval(mins => {MINUTES_OF_GRACE} + 5) AS grace) AS s
WHERE r.since > now() - interval '25 hours'
GROUP BY r.route, r.prefix, r.user_group
"""  # noqa: S608  our own number
_SUMS: Final = f"""
SELECT route, prefix, sum(sent)::int AS sent, sum(delivered)::int AS delivered,
  sum(sent_before)::int AS sent_before, sum(delivered_before)::int AS delivered_before,
  sum(sum(sent_before)) OVER (PARTITION BY route) AS route_sent_before,
  sum(sum(delivered_before)) OVER (PARTITION BY route) AS route_delivered_before,
  count(*) FILTER (WHERE sent >= {LEAST_OF_GROUP} AND delivered * 100 < sent) AS groups_without,
  count(*) FILTER (WHERE sent >= {LEAST_OF_GROUP} AND delivered * 10 >= sent) AS groups_with
FROM ({_GROUPS}) AS g GROUP BY route, prefix
"""  # noqa: S608  our own number
DEGRADE: Final = f"""
INSERT INTO degraded_routes AS d (route, prefix, since, retry_at)
SELECT s.route, s.prefix, now(), now() + make_interval(mins => {RETRY_MINUTES}) FROM ({_SUMS}) AS s
WHERE s.sent >= {LEAST_SENT} AND s.delivered * 100 < s.sent
  AND s.groups_without >= {LEAST_GROUPS} AND s.groups_with = 0
  AND CASE WHEN s.sent_before >= {LEAST_SENT} THEN s.delivered_before * 5 >= s.sent_before
    ELSE s.route_sent_before >= {LEAST_SENT} AND s.route_delivered_before * 5 >= s.route_sent_before END
  AND EXISTS (SELECT FROM route_rules AS x WHERE x.route = s.route AND x.prefix = s.prefix)
  AND NOT EXISTS (SELECT FROM routes AS x WHERE x.name = s.route AND x.ignores_receipts)
ON CONFLICT (route, prefix) DO UPDATE SET since = excluded.since, retry_at = excluded.retry_at, ended_at = NULL
  WHERE d.ended_at IS NOT NULL
RETURNING route, prefix
"""  # noqa: S608  our own numbers
# `ripe`: messages that are old enough to have a receipt.
_TRIALS: Final = f"""
SELECT d.route, d.prefix, t.sent, t.ripe, t.delivered
FROM degraded_routes AS d CROSS JOIN LATERAL (
  SELECT COALESCE(sum(r.sent), 0) AS sent, COALESCE(sum(r.delivered), 0) AS delivered,
    COALESCE(sum(r.sent) FILTER (WHERE r.since < now() - make_interval(mins => {MINUTES_OF_GRACE} + 5)), 0) AS ripe
  FROM route_receipts AS r WHERE r.route = d.route AND r.prefix = d.prefix AND r.since >= d.retry_at
) AS t
WHERE d.ended_at IS NULL AND d.retry_at <= now()
"""  # noqa: S608  our own number
# Two receipts, as one may be of a message from before. A trial of a day without messages says nothing.
END: Final = f"""
UPDATE degraded_routes AS d SET ended_at = now()
WHERE d.ended_at IS NULL AND (
  (d.route, d.prefix) IN (
    SELECT t.route, t.prefix FROM ({_TRIALS}) AS t WHERE t.delivered >= 2 AND t.delivered * 10 >= t.sent
  )
  OR (d.retry_at < now() - interval '1 day' AND NOT EXISTS (
    SELECT FROM route_receipts AS r WHERE r.route = d.route AND r.prefix = d.prefix AND r.sent > 0
      AND r.since >= d.retry_at AND r.since > now() - interval '25 hours'
  ))
  OR NOT EXISTS (SELECT FROM route_rules AS x WHERE x.route = d.route AND x.prefix = d.prefix)
  OR EXISTS (SELECT FROM routes AS x WHERE x.name = d.route AND x.ignores_receipts)
)
RETURNING route, prefix
"""  # noqa: S608  our own numbers
PROLONG: Final = f"""
UPDATE degraded_routes AS d SET retry_at = now() + make_interval(mins => {RETRY_MINUTES})
FROM ({_TRIALS}) AS t
WHERE d.route = t.route AND d.prefix = t.prefix AND t.ripe >= {LEAST_TRIAL} AND t.delivered * 10 < t.ripe
RETURNING d.route, d.prefix
"""  # noqa: S608  our own numbers
_FORGET: Final = (
    "DELETE FROM route_receipts WHERE since < now() - interval '25 hours'",
    "DELETE FROM degraded_routes WHERE ended_at < now() - interval '25 hours'",
)
_TRY_LOCK: Final = "SELECT pg_try_advisory_xact_lock(hashtextextended('route_receipts', 0))"
_LIST: Final = f"""
SELECT s.route, s.prefix, s.sent, s.delivered, s.sent_before, s.delivered_before, d.since AS degraded_since, d.retry_at
FROM ({_SUMS}) AS s
LEFT JOIN degraded_routes AS d ON d.route = s.route AND d.prefix = s.prefix AND d.ended_at IS NULL
ORDER BY d.since DESC NULLS LAST, s.sent DESC, s.route, s.prefix LIMIT $1
"""  # noqa: S608  our own words


@every(_ROUND_SECONDS, due="EXISTS (SELECT FROM route_receipts)")
async def judge_routes(services: Services) -> None:
    """Finds the routes that deliver nothing to a prefix, and those that deliver again.

    One worker at a time: another one's statement would not see that a route has just recovered.
    """
    async with services.db.transaction() as db:
        if not await db.fetchval(_TRY_LOCK):
            return
        for statement, event in (
            (END, "a route is in its old order again"),
            (PROLONG, "a route still delivers nothing to a prefix"),
            (DEGRADE, "a route delivers nothing to a prefix; others are tried before it"),
        ):
            for row in await db.fetch(statement):
                log.warning(event, route=row["route"], prefix=row["prefix"])
        for statement in _FORGET:
            await db.execute(statement)


async def listed(db: asyncpg.Connection | Any, most: int) -> Sequence[Any]:
    """Returns the counts by route and prefix of the last hour and of the day before it, degraded ones first."""
    rows: Sequence[Any] = await db.fetch(_LIST, most)
    return rows
