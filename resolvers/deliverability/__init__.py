"""Counts emails and the reports about them by the provider of the mailbox.

The counters are kept by triggers (db/migrations/versions/2026_12_31_deliverability.py), so a request costs the same for
a thousand emails and for ten million. Administrators see everybody's numbers.
"""

from datetime import datetime, timedelta
from typing import Any

from core.errors import BadRequest
from resolvers.message_records import instant
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.deliverability import (
    BAD_RATE,
    LEAST,
    WARNING_RATE,
    ComplaintLevel,
    Deliverability,
    ProviderClass,
    ProviderDeliverability,
)

DEFAULT = timedelta(days=7)
LONGEST = timedelta(days=92)

_BUCKET = timedelta(minutes=15)
_BOUNCES = ("hard", "mailbox_full", "content", "policy", "soft")
_COUNTS = ("accepted", "delivered", "deferred", *_BOUNCES, "complaints", "rescued")
# An email of before the counters can be taken off them: it was sent again since.
_SUMS = ", ".join(f"GREATEST(sum(c.{name}), 0)::int8 AS {name}" for name in _COUNTS)
_BY_PROVIDER = f"""
SELECT c.provider_class, {_SUMS} FROM domain_counters AS c WHERE c.bucket >= $1 AND c.bucket < $2 AND MINE
GROUP BY c.provider_class
"""  # noqa: S608  our own columns


@operation(Permission.statistics_read, "read")
async def by_provider(
    op: Op, date_from: datetime | None = None, date_to: datetime | None = None
) -> Deliverability:
    """Returns the caller's emails of a period and the reports that came in it, by the provider of the mailbox; an
    administrator gets those of everybody. Raises BadRequest.
    """
    now = op.services.db.now()
    ends = min(instant(date_to) or now, now)
    begins = instant(date_from) or ends - DEFAULT
    if not now - LONGEST <= begins <= ends:
        raise BadRequest(
            f"dateFrom must be a time of the last {LONGEST.days} days, and not after dateTo.",
            code="bad_period",
        )
    begins, end = _floor(begins), _floor(ends)
    end = end if end == ends and end > begins else end + _BUCKET
    sql = owner_sql(_BY_PROVIDER, "c.owner_id", op.viewer.admin, 3)
    rows = {row["provider_class"]: row for row in await op.db.fetch(sql, begins, end, *owner_arguments(op))}
    return Deliverability.model_validate(
        {
            "begins": begins,
            "ends": end,
            "items": [
                _provider(provider, rows[provider.value])
                for provider in ProviderClass
                if provider.value in rows and any(rows[provider.value][name] for name in _COUNTS)
            ],
        }
    )


def level(complaints: int, accepted: int) -> ComplaintLevel:
    """Returns the level of a share of complaints. Fewer emails than LEAST count as that many: one complaint among them
    says little.
    """
    share = complaints / max(accepted, LEAST)
    if share < WARNING_RATE:
        return ComplaintLevel.ok
    return ComplaintLevel.warning if share < BAD_RATE else ComplaintLevel.bad


def _provider(provider: ProviderClass, row: Any) -> ProviderDeliverability:
    accepted, complaints = row["accepted"], row["complaints"]
    bounced = sum(row[name] for name in _BOUNCES)
    return ProviderDeliverability(
        provider_class=provider,
        **{name: row[name] for name in _COUNTS},
        bounced=bounced,
        bounce_rate=bounced / accepted if accepted else None,
        complaint_rate=complaints / accepted if accepted else None,
        complaint_level=level(complaints, accepted),
    )


def _floor(time: datetime) -> datetime:
    return time.replace(minute=time.minute // 15 * 15, second=0, microsecond=0)
