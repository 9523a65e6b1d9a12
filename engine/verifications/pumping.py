"""Protection from SMS pumping: floods of codes to numbers whose owner earns by each SMS, and enters none of the codes.

The codes of an owner who has switched it on are counted by the country and by the prefix of their numbers. While as
many of a group were sent and not approved within an hour as its threshold says, no further one is sent to the group,
and nothing is charged. A prefix is the calling code and up to six digits more, but never the last four: a block of
10,000 numbers is the smallest that numbering plans give away. The network of a number is not known without asking for
each, so there is no such group.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.ids import least_uuid7, uuid7
from engine.sms.countries import NO_COUNTRY, calling_code, country_of
from shapes.messages import MessageChannel
from shapes.pumping import GroupKind

LEAST: Final = 100
"""The threshold of a group that is new, or that gets few codes."""

_DIGITS, _LAST = 6, 4  # of a national number: those that a prefix has at most, and those that it never has
_BUCKET: Final = "interval '10 minutes'"
_GROUPS: Final = "(VALUES ('country', $2::text), ('prefix', $3::text)) AS n (kind, value)"
_COUNT: Final = f"""
INSERT INTO verification_counters AS c (owner_id, kind, value, since, started, approved, suppressed)
SELECT $1, n.kind, n.value, date_bin({_BUCKET}, now(), 'epoch'), $4, $5, $6 FROM {_GROUPS}
ON CONFLICT (owner_id, kind, value, since) DO UPDATE SET started = c.started + excluded.started,
  approved = c.approved + excluded.approved, suppressed = c.suppressed + excluded.suppressed
"""  # noqa: S608  our own words
# A bucket counts if a part of it is within the hour. What is not sent counts as long as it goes on, or an attack would
# cost the threshold once an hour; in the mean it does not, or an attack would raise the threshold.
_SUMS: Final = f"""
SELECT n.kind, n.value, s.started, s.approved, s.suppressed, s.threshold
FROM {_GROUPS} CROSS JOIN LATERAL (
  SELECT COALESCE(sum(c.started) FILTER (WHERE c.since > now() - interval '70 minutes'), 0)::int AS started,
    COALESCE(sum(c.approved) FILTER (WHERE c.since > now() - interval '70 minutes'), 0)::int AS approved,
    COALESCE(sum(c.suppressed) FILTER (WHERE c.since > now() - interval '70 minutes'), 0)::int AS suppressed,
    GREATEST({LEAST}, ceil(2 * COALESCE(sum(c.started), 0) / 168.0))::int AS threshold
  FROM verification_counters AS c
  WHERE c.owner_id = $1 AND c.kind = n.kind AND c.value = n.value AND c.since > now() - interval '7 days'
) AS s
WHERE s.started + s.suppressed - s.approved >= s.threshold
ORDER BY n.kind DESC LIMIT 1
"""  # noqa: S608  our own words
_RECORD: Final = """
INSERT INTO suspected_groups AS g
  (id, owner_id, kind, value, country, hour, threshold, started, approved, saved, currency)
VALUES ($1, $2, $3, $4, $5, date_trunc('hour', now(), 'UTC'), $6, $7, $8, $9, $10)
ON CONFLICT (owner_id, kind, value, hour, currency) DO UPDATE SET suppressed = g.suppressed + 1,
  saved = g.saved + excluded.saved, started = excluded.started, approved = excluded.approved, updated_at = now()
"""

_FORGET: Final = "DELETE FROM verification_counters WHERE owner_id = $1"
_SEED: Final = f"""
INSERT INTO verification_counters (owner_id, kind, value, since, started, approved)
SELECT v.owner_id, n.kind, n.value, date_bin({_BUCKET}, v.created_at, 'epoch'), sum(cardinality(v.message_ids)),
  COALESCE(sum(cardinality(v.message_ids)) FILTER (WHERE v.status = 'approved'), 0)
FROM verifications AS v CROSS JOIN LATERAL (VALUES ('country', v.country), ('prefix', v.prefix)) AS n (kind, value)
WHERE v.owner_id = $1 AND v.id >= $2 AND v.country IS NOT NULL GROUP BY 1, 2, 3, 4
ON CONFLICT DO NOTHING
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class Group:
    """The groups that a number is in."""

    country: str
    prefix: str

    @classmethod
    def of(cls, channel: str, to: str) -> "Group | None":
        """Returns the groups of a phone; None for any other address."""
        code = calling_code(to) if channel == MessageChannel.sms else None
        if code is None:
            return None
        national = to[1 + len(code) :]
        return cls(
            country_of(to) or NO_COUNTRY, to[: 1 + len(code) + min(_DIGITS, max(len(national) - _LAST, 0))]
        )


async def count(
    db: asyncpg.Connection,
    owner_id: UUID,
    group: Group,
    *,
    started: int = 0,
    approved: int = 0,
    suppressed: int = 0,
) -> None:
    """Adds to the numbers of the groups. Their rows stay locked until the transaction ends."""
    await db.execute(_COUNT, owner_id, group.country, group.prefix, started, approved, suppressed)


async def begin(db: asyncpg.Connection, owner_id: UUID, now: datetime) -> None:
    """Counts the codes of the last seven days, for an owner whose codes were not protected until now."""
    await db.execute(_FORGET, owner_id)
    await db.execute(_SEED, owner_id, least_uuid7(now - timedelta(days=7)))


async def suspected(db: asyncpg.Connection, owner_id: UUID, group: Group) -> Any:
    """Returns the group to which no further code is sent, the prefix before the country; None: one is sent.

    The rows of the groups are locked first, so that of many starts at once no two count the same ones.
    """
    await count(db, owner_id, group)
    return await db.fetchrow(_SUMS, owner_id, group.country, group.prefix)


async def record(
    db: asyncpg.Connection, owner_id: UUID, group: Group, row: Any, price: Decimal, currency: str
) -> None:
    """Records that a code was not sent, because of the suspected group `row`. The first one in an hour is an event."""
    await count(db, owner_id, group, suppressed=1)
    await db.execute(
        _RECORD,
        uuid7(),
        owner_id,
        GroupKind(row["kind"]).value,
        row["value"],
        group.country,
        row["threshold"],
        row["started"],
        row["approved"],
        price,
        currency,
    )
