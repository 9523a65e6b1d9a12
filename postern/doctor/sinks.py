"""Reports event sinks that fail, that are far behind, or that nothing here can publish to."""

from typing import Final

from core.installation import advice, missing
from db.session import Database
from engine.feed.event_feed import LAST_POSITION
from engine.sinks.cursors import IS_APART
from postern.doctor.findings import Findings

LATE: Final = 100_000
"""A sink with so many events before it is far behind."""

_MOST_LINES = 5
_STATES: Final = f"""
SELECT s.name, s.owner_id IS NULL AS is_installation, s.failing_since, s.last_error,
  COALESCE(sum(GREATEST({LAST_POSITION} - GREATEST(c.position, f.pruned_position), 0)), 0)::bigint AS lag
FROM event_sinks AS s LEFT JOIN event_sink_cursors AS c ON c.sink_id = s.id
LEFT JOIN event_feeds AS f ON f.owner_id = c.owner_id AND f.recording
WHERE s.enabled GROUP BY s.id ORDER BY s.failing_since NULLS LAST, s.id
"""  # noqa: S608  our own expression


async def look(findings: Findings, db: Database) -> None:
    """Reports what is wrong with sinks; nothing if there are none."""
    rows = await db.fetch(_STATES)
    if not rows:
        return
    if (package := missing("nats")) is not None:
        findings.bad("event sinks", f"{package} is not installed, so nothing is published", advice("nats"))
        return
    failing = [row for row in rows if row["failing_since"] is not None]
    late = [row for row in rows if row["failing_since"] is None and row["lag"] >= LATE]
    for row in failing[:_MOST_LINES]:
        findings.note(
            "event sinks",
            f"{_name(row)} fails since {row['failing_since']:%Y-%m-%d %H:%M}: {row['last_error']}",
            "Its events wait in the feed until the feed is full. Repair the broker, or change the sink.",
        )
    for row in late[:_MOST_LINES]:
        findings.note(
            "event sinks",
            f"{_name(row)} is {row['lag']:,} events behind",
            "Look at the broker's load, or let `postern sinks` publish, a process that does nothing else.",
        )
    if (hidden := max(len(failing) - _MOST_LINES, 0) + max(len(late) - _MOST_LINES, 0)) > 0:
        findings.note("event sinks", f"{hidden} more fail or are behind", "See GET /event-sinks.")
    if not failing and not late:
        apart = await db.fetchval(f"SELECT {IS_APART}")
        findings.good(
            "event sinks", f"{len(rows)} publish, by {'`postern sinks`' if apart else 'the workers'}"
        )


def _name(row: dict[str, object]) -> str:
    return f"{row['name']} of the installation" if row["is_installation"] else str(row["name"])
