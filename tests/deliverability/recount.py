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


# The totals of projects, variants and quarters of an hour, and of direct messages; and the classes of each project.
_OF_PROJECTS = (
    (
        """
SELECT project_id, sum(bounced)::int AS bounced, sum(complained)::int AS complained FROM sending_counters GROUP BY 1
HAVING sum(bounced) <> 0 OR sum(complained) <> 0 ORDER BY 1
""",
        """
SELECT project_id, count(bounced_at)::int AS bounced, count(complained_at)::int AS complained FROM message_records
GROUP BY 1 HAVING count(bounced_at) <> 0 OR count(complained_at) <> 0 ORDER BY 1
""",
    ),
    (
        """
SELECT project_id, variant, sum(bounced)::int AS bounced, sum(complained)::int AS complained FROM variant_counters
GROUP BY 1, 2 HAVING sum(bounced) <> 0 OR sum(complained) <> 0 ORDER BY 1, 2
""",
        """
SELECT project_id, variant, count(bounced_at)::int AS bounced, count(complained_at)::int AS complained
FROM message_records WHERE variant IS NOT NULL
GROUP BY 1, 2 HAVING count(bounced_at) <> 0 OR count(complained_at) <> 0 ORDER BY 1, 2
""",
    ),
    (
        """
SELECT project_id, sum(bounced)::int AS bounced, sum(complained)::int AS complained
FROM (SELECT project_id, bounced, complained FROM statistics_buckets
  UNION ALL SELECT owner_id, bounced, complained FROM message_buckets WHERE channel = 'email') AS b
GROUP BY 1 HAVING sum(bounced) <> 0 OR sum(complained) <> 0 ORDER BY 1
""",
        """
SELECT id AS project_id, count(bounced_at)::int AS bounced, count(complained_at)::int AS complained
FROM (SELECT project_id AS id, bounced_at, complained_at FROM message_records
  UNION ALL SELECT owner_id, bounced_at, complained_at FROM messages) AS m
GROUP BY 1 HAVING count(bounced_at) <> 0 OR count(complained_at) <> 0 ORDER BY 1
""",
    ),
    (
        """
SELECT project_id, provider_class, sum(deferred)::int AS deferred, sum(hard)::int AS hard,
  sum(mailbox_full)::int AS mailbox_full, sum(content)::int AS content, sum(policy)::int AS policy,
  sum(soft)::int AS soft, sum(complaints)::int AS complaints, sum(rescued)::int AS rescued
FROM project_mail_counters GROUP BY 1, 2 ORDER BY 1, 2
""",
        """
SELECT m.project_id, COALESCE(postern_known_provider(lower(split_part(m."to", '@', -1))), 'other') AS provider_class,
  (count(*) FILTER (WHERE r.type = 'delay'))::int AS deferred, (count(*) FILTER (WHERE r.class = 'hard'))::int AS hard,
  (count(*) FILTER (WHERE r.class = 'full'))::int AS mailbox_full,
  (count(*) FILTER (WHERE r.class = 'content'))::int AS content,
  (count(*) FILTER (WHERE r.class = 'policy'))::int AS policy,
  (count(*) FILTER (WHERE r.type = 'bounce' AND r.class IN ('transient', 'unknown')))::int AS soft,
  (count(*) FILTER (WHERE r.type = 'complaint'))::int AS complaints,
  (count(*) FILTER (WHERE r.type = 'rescue'))::int AS rescued
FROM (SELECT DISTINCT ON (message_id, type) * FROM mail_reports ORDER BY message_id, type, id) AS r
JOIN message_records AS m ON m.id = r.message_id GROUP BY 1, 2 ORDER BY 1, 2
""",
    ),
)


async def equal(services: Services) -> list[dict[str, Any]]:
    """Asserts that the counters equal a recount, and returns them."""
    counts = ", ".join(f"(count(*) FILTER (WHERE what = '{name}'))::int AS {name}" for name in NAMES)
    async with services.db.reading() as db, db.transaction(isolation="repeatable_read"):
        counted = [dict(row) for row in await db.fetch(_COUNTED)]
        assert counted == [dict(row) for row in await db.fetch(_RECOUNTED.format(counts=counts))]
        for sql, again in _OF_PROJECTS:
            assert [dict(row) for row in await db.fetch(sql)] == [dict(row) for row in await db.fetch(again)]
    return counted
