"""Reports owners of whose emails many come back after they were accepted, and are refunded: an owner who mails own
mailboxes can make them come back.
"""

from datetime import timedelta
from typing import Final

from core.ids import least_uuid7
from db.session import Database
from engine.hooks.mail_events import SOURCE
from postern.doctor.findings import Findings

LEAST: Final = 20
"""Refunded bounces of one owner in DAYS, of which fewer say nothing."""
SHARE: Final = 0.2
DAYS: Final = timedelta(days=7)
_MOST: Final = 5  # owners that are named

# The counters by provider find the few owners with many bounces; only the reports of these are read.
_REFUNDED: Final = """
WITH candidates AS MATERIALIZED (
  SELECT owner_id FROM domain_counters WHERE shard >= 32 AND bucket > $1
  GROUP BY owner_id HAVING sum(hard + mailbox_full + content + policy + soft) >= $2
)
SELECT u.email, s.accepted, r.refunded
FROM candidates AS c JOIN users AS u ON u.id = c.owner_id
CROSS JOIN LATERAL (
  SELECT COALESCE(sum(d.accepted), 0)::int8 AS accepted FROM domain_counters AS d
  WHERE d.owner_id = c.owner_id AND d.bucket > $1
) AS s
CROSS JOIN LATERAL (
  SELECT count(DISTINCT m.message_id) AS refunded FROM mail_reports AS m
  WHERE m.owner_id = c.owner_id AND m.type = 'bounce' AND m.id >= $5
    AND m.outcome IN ('fails', 'waits') AND m.source <> $4
) AS r
WHERE r.refunded >= $2 AND r.refunded > $3::float8 * s.accepted
ORDER BY r.refunded DESC, c.owner_id
"""


async def look(findings: Findings, db: Database) -> None:
    """Names the owners whose share of refunded bounces is above SHARE; nothing if there are none."""
    since = db.now() - DAYS
    rows = await db.fetch(_REFUNDED, since, LEAST, SHARE, SOURCE, least_uuid7(since))
    for row in rows[:_MOST]:
        findings.note(
            "bounces",
            f"{row['email']}: {row['refunded']:,} of {row['accepted']:,} emails that were accepted in {DAYS.days} days"
            " came back and were refunded",
            "Look at GET /mail-reports for whose mailboxes they are: an owner who mails own mailboxes can make the"
            " emails come back. docs/deliverability.md, 'Refunded bounces'.",
        )
    if len(rows) > _MOST:
        findings.note(
            "bounces", f"{len(rows) - _MOST} more owners", "Look at GET /statistics/deliverability."
        )
