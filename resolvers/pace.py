"""How fast projects move, and when they will have sent all: SQL and sums for resolvers/statistics.py."""

from typing import Any

# The pace is that of this quarter of an hour and the one before it, or of the time since the start.
CLOCK = """
clock AS (SELECT date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '15 minutes' AS since)
"""
PER_MINUTE = """
COALESCE(b.settled, 0) * 60 / GREATEST(EXTRACT(epoch FROM now() - GREATEST(clock.since, p.started_at)), 60)::float8
"""
SETTLED = """
SELECT sum(sent + failed)::int8 AS settled FROM statistics_buckets WHERE project_id = p.id AND bucket >= clock.since
"""
# Of one whose window is closed: the seconds until it opens, and the most that may leave a minute then.
OPENS = """
CASE WHEN p.status_reason = 'window_closed'
  THEN GREATEST(EXTRACT(epoch FROM p.resume_at - now()), 0)::float8 END AS opens_in,
(SELECT LEAST((p.speed ->> 'perMinute')::float8, t.messages_per_minute) FROM users AS u
 JOIN tariffs AS t ON t.code = u.tariff_code WHERE u.id = p.owner_id) AS most_per_minute
"""


def eta(left: int, row: Any) -> int | None:
    """Seconds; what GraphQL's Int can say, which is some 68 years. None while nothing moves.

    A project that waits for its window has no pace: it is taken to leave as fast as it may once the window is open.
    """
    pace: float = row["per_minute"]
    opens_in: float | None = row["opens_in"]
    if opens_in is not None:
        pace = row["most_per_minute"]
    if pace <= 0:
        return None
    return min(round((opens_in or 0.0) + left / pace * 60), 2**31 - 1)
