"""The numbers of a series: its people by state and step, and the messages of its steps."""

from collections import Counter
from typing import Any, Final
from uuid import UUID

from shapes.series import EntryState, StopReason
from shapes.series_plans import SeriesStatistics, SeriesStepStatistics, StopCount

# Read from an index alone.
_ENTRIES: Final = """
SELECT state, step, stop_reason, count(*)::int AS people FROM series_entries WHERE series_id = $1
GROUP BY state, step, stop_reason
"""
_MESSAGES: Final = """
SELECT project_id, sum(total)::int AS total, sum(sent + delivered + read + unknown)::int AS sent,
  sum(delivered + read)::int AS delivered, sum(bounced)::int AS bounced, sum(replied)::int AS replied,
  sum(failed)::int AS failed, sum(skipped + canceled)::int AS skipped, sum(queued + sending)::int AS queued
FROM sending_counters WHERE project_id = ANY($1) GROUP BY project_id
"""
_NONE: Final = ("total", "sent", "delivered", "bounced", "replied", "failed", "skipped", "queued")


async def of_series(db: Any, series: Any) -> SeriesStatistics:
    """Returns the numbers of a series."""
    by_state, reasons = Counter[str](), Counter[str]()
    begun, waiting, stopped = Counter[int](), Counter[int](), Counter[int]()
    for row in await db.fetch(_ENTRIES, series.id):
        count = row["people"]
        by_state[row["state"]] += count
        for number in range(1, row["step"] + 1):
            begun[number] += count
        if row["state"] == EntryState.waiting:
            waiting[row["step"] + 1] += count
        if row["stop_reason"] is not None:
            reasons[row["stop_reason"]] += count
            stopped[row["step"] + 1] += count
    messages: dict[UUID, Any] = {
        row["project_id"]: row for row in await db.fetch(_MESSAGES, series.project_ids)
    }
    steps = []
    for number in range(1, len(series.steps) + 1):
        project = series.project_ids[number - 1] if series.project_ids else None
        row = messages.get(project) if project is not None else None
        counts = dict.fromkeys(_NONE, 0) if row is None else {name: row[name] for name in _NONE}
        total = counts.pop("total")
        steps.append(
            SeriesStepStatistics(
                number=number,
                project_uuid=project,
                begun=begun[number],
                waiting=waiting[number],
                stopped=stopped[number],
                without_message=max(begun[number] - total, 0),
                **counts,
            )
        )
    return SeriesStatistics(
        entered=by_state.total() - by_state[EntryState.excluded],
        waiting=by_state[EntryState.waiting],
        finished=by_state[EntryState.finished],
        stopped=by_state[EntryState.stopped],
        excluded=by_state[EntryState.excluded],
        stop_reasons=[
            StopCount(reason=StopReason(name), count=count) for name, count in sorted(reasons.items())
        ],
        steps=steps,
    )
