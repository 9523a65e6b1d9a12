"""Counts how messages ended, by the time at which they were created.

The counters are kept by triggers (db/functions/postern_outcomes_messages.sql), so a request costs the same for a
thousand messages and for ten million. Administrators see everybody's numbers.
"""

from datetime import datetime, timedelta
from typing import Any

from core.errors import BadRequest
from resolvers.message_records import instant
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.message_records import RecordStatus
from shapes.outcomes import ChannelOutcomes, Outcomes

DEFAULT = timedelta(hours=24)
LONGEST = timedelta(days=92)

_STATES = tuple(status.value for status in RecordStatus)
_SUMS = ", ".join(f"sum(o.{state})::int8 AS {state}" for state in _STATES)
_COUNTED = f"""
SELECT o.kind, o.channel, {_SUMS} FROM outcome_counters AS o WHERE o.bucket >= $1 AND MINE
GROUP BY o.kind, o.channel ORDER BY o.kind, o.channel
"""  # noqa: S608  our own columns
_SINCE = "SELECT max(since) FROM outcome_starts WHERE since > $1"


@operation(Permission.statistics_read, "read")
async def by_channel(op: Op, date_from: datetime | None = None) -> Outcomes:
    """Counts your outbound messages that were created since a time, by their present state: each once, however often it
    was tried. Administrators get the counts of all users.

    They are counted by kind and channel. Raises BadRequest.
    """
    now = op.services.db.now()
    since = instant(date_from) or now - DEFAULT
    if not now - LONGEST <= since <= now:
        raise BadRequest(
            f"dateFrom must be a time of the last {LONGEST.days} days. For an older one, ask /statistics/general.",
            code="bad_period",
        )
    since = since.replace(minute=since.minute // 15 * 15, second=0, microsecond=0)
    sql = owner_sql(_COUNTED, "o.owner_id", op.viewer.admin, 2)
    rows = await op.db.fetch(sql, since, *owner_arguments(op))
    counted = [_outcomes(row) for row in rows]
    return Outcomes.model_validate(
        {
            "begins": since,
            "counted_since": await op.db.fetchval(_SINCE, since),
            "items": [outcomes for outcomes in counted if outcomes.total > 0],
        }
    )


def _outcomes(row: Any) -> ChannelOutcomes:
    states = {state: row[state] for state in _STATES}
    return ChannelOutcomes(kind=row["kind"], channel=row["channel"], total=sum(states.values()), **states)
