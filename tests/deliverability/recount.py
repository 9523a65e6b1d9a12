"""Counts emails and their reports anew, as the counters should have them."""

from typing import Any

from runtime.services import Services

_COUNTED = """
SELECT owner_id, bucket, sum(accepted)::int AS accepted, sum(delivered)::int AS delivered,
  sum(deferred)::int AS deferred, sum(hard)::int AS hard, sum(mailbox_full)::int AS mailbox_full,
  sum(content)::int AS content, sum(policy)::int AS policy, sum(soft)::int AS soft,
  sum(complaints)::int AS complaints, sum(rescued)::int AS rescued
FROM domain_counters GROUP BY 1, 2
HAVING (sum(accepted), sum(delivered), sum(deferred), sum(hard), sum(mailbox_full), sum(content), sum(policy),
  sum(soft), sum(complaints), sum(rescued)) IS DISTINCT FROM (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
ORDER BY 1, 2
"""
_RECOUNTED = """
WITH emails AS (
  SELECT owner_id, sent_at, delivered_at FROM messages WHERE channel = 'email' AND direction = 'outbound'
  UNION ALL
  SELECT owner_id, sent_at, delivered_at FROM message_records WHERE channel = 'email' AND direction = 'outbound'
), reports AS (
  SELECT DISTINCT ON (message_id, type) owner_id, created_at AS at,
    CASE type WHEN 'delay' THEN 'deferred' WHEN 'complaint' THEN 'complaints' WHEN 'rescue' THEN 'rescued'
      ELSE CASE class WHEN 'full' THEN 'mailbox_full' WHEN 'transient' THEN 'soft' WHEN 'unknown' THEN 'soft'
        ELSE class END END AS what
  FROM mail_reports ORDER BY message_id, type, id
), events AS (
  SELECT owner_id, sent_at AS at, 'accepted' AS what FROM emails WHERE sent_at IS NOT NULL
  UNION ALL SELECT owner_id, delivered_at, 'delivered' FROM emails WHERE delivered_at IS NOT NULL
  UNION ALL SELECT * FROM reports
)
SELECT owner_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') AS bucket, {counts}
FROM events GROUP BY 1, 2 ORDER BY 1, 2
"""
NAMES = (
    "accepted",
    "delivered",
    "deferred",
    "hard",
    "mailbox_full",
    "content",
    "policy",
    "soft",
    "complaints",
    "rescued",
)


async def equal(services: Services) -> list[dict[str, Any]]:
    """Asserts that the counters equal a recount, and returns them."""
    counts = ", ".join(f"(count(*) FILTER (WHERE what = '{name}'))::int AS {name}" for name in NAMES)
    async with services.db.reading() as db, db.transaction(isolation="repeatable_read"):
        counted = [dict(row) for row in await db.fetch(_COUNTED)]
        assert counted == [dict(row) for row in await db.fetch(_RECOUNTED.format(counts=counts))]
    return counted
