"""Calculates how fast projects send and when they will have sent everything, for resolvers/processing.py."""

from typing import Any

# The rate is measured over this quarter of an hour and the one before it, or since the start if that is later.
CLOCK = """
clock AS (SELECT date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '15 minutes' AS since)
"""
PER_MINUTE = """
COALESCE(b.settled, 0) * 60 / GREATEST(EXTRACT(epoch FROM now() - GREATEST(clock.since, p.started_at)), 60)::float8
"""
SETTLED = """
SELECT sum(sent + failed)::int8 AS settled FROM statistics_buckets WHERE project_id = p.id AND bucket >= clock.since
"""
# For a project with a closed window: the seconds until it opens. For all: the most messages per minute.
OPENS = """
CASE WHEN p.status_reason = 'window_closed'
  THEN GREATEST(EXTRACT(epoch FROM p.resume_at - now()), 0)::float8 END AS opens_in,
(SELECT LEAST((p.speed ->> 'perMinute')::float8, t.messages_per_minute) FROM users AS u
 JOIN tariffs AS t ON t.code = u.tariff_code WHERE u.id = p.owner_id) AS most_per_minute
"""


def eta(left: int, row: Any) -> int | None:
    """Returns the seconds until `left` messages are sent, or None while the project does not move.

    The result fits GraphQL's Int, which holds some 68 years. A project that waits for its window has no rate yet: it
    is expected to send at its highest rate once the window is open.
    """
    rate: float = row["per_minute"]
    opens_in: float | None = row["opens_in"]
    if opens_in is not None:
        rate = row["most_per_minute"]
    if rate <= 0:
        return None
    return min(round((opens_in or 0.0) + left / rate * 60), 2**31 - 1)
