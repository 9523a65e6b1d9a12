"""Finds the mailbox providers that refuse an owner's emails or whose users complain about them, and tells it once."""

from datetime import timedelta
from typing import Final

import structlog

from engine.jobs import every
from runtime.services import Services
from shapes.deliverability import BAD_RATE, LEAST, WARNING_RATE

log = structlog.get_logger("postern.engine")

PERIOD: Final = timedelta(hours=24)

# Only counters of reports are read for all owners (their shards are those of the trigger on mail_reports), and then all
# counters of the few providers that have such a report or were degraded before. A provider is degraded from one rate on
# and recovers at a lower one, so that it is not told again and again at the limit. Workers that run this at once find
# the same, and the key keeps one of them.
_ROUND: Final = """
WITH candidates AS (
  SELECT owner_id, provider_class FROM domain_counters WHERE shard >= 32 AND bucket > now() - $1::interval
  GROUP BY owner_id, provider_class HAVING sum(policy + complaints) > 0
  UNION SELECT owner_id, provider_class FROM degraded_providers
), counted AS MATERIALIZED (
  SELECT o.owner_id, o.provider_class, s.accepted, s.policy, s.complaints
  FROM candidates AS o CROSS JOIN LATERAL (
    SELECT COALESCE(sum(c.accepted), 0)::int8 AS accepted, COALESCE(sum(c.policy), 0)::int8 AS policy,
      COALESCE(sum(c.complaints), 0)::int8 AS complaints
    FROM domain_counters AS c
    WHERE c.owner_id = o.owner_id AND c.provider_class = o.provider_class AND c.bucket > now() - $1::interval
  ) AS s
), recovered AS (
  DELETE FROM degraded_providers AS d USING counted AS s
  WHERE d.owner_id = s.owner_id AND d.provider_class = s.provider_class
    AND s.policy + s.complaints < $4::float8 * GREATEST(s.accepted, $2)
), degraded AS (
  INSERT INTO degraded_providers (id, owner_id, provider_class, accepted, policy, complaints)
  SELECT gen_random_uuid(), owner_id, provider_class, accepted, policy, complaints FROM counted
  WHERE accepted >= $2 AND policy + complaints >= $3::float8 * accepted ORDER BY owner_id, provider_class
  ON CONFLICT (owner_id, provider_class) DO NOTHING RETURNING *
), told AS (
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT d.owner_id, 'domain.degraded', 'degradedProvider', d.id, NULL, NULL, jsonb_build_object(
    'providerClass', d.provider_class, 'accepted', d.accepted, 'policy', d.policy, 'complaints', d.complaints,
    'createdAt', postern_utc(d.created_at))
  FROM degraded AS d WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = d.owner_id AND f.recording)
)
SELECT owner_id, provider_class FROM degraded
"""
_DUE: Final = (
    "EXISTS (SELECT FROM domain_counters WHERE shard >= 32 AND bucket > now() - interval '24 hours')"
    " OR EXISTS (SELECT FROM degraded_providers)"
)


@every(300.0, due=_DUE)
async def find_degraded(services: Services) -> None:
    """Stores and tells which providers have degraded, and forgets those that have recovered."""
    for row in await services.db.fetch(_ROUND, PERIOD, LEAST, BAD_RATE, WARNING_RATE):
        log.warning(
            "a mailbox provider refuses emails, or its users complain",
            owner_id=str(row["owner_id"]),
            provider=row["provider_class"],
        )
