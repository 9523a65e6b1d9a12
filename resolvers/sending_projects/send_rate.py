"""Calculates how fast projects send and when they will have sent everything, for resolvers/processing.py."""

from typing import Any

CLOCK = """
clock AS (
  SELECT date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z') - interval '15 minutes' AS since,
    date_trunc('minute', now()) AS minute, 1 - EXTRACT(epoch FROM now() - date_trunc('minute', now())) / 60 AS rest
)
"""
# The rate of the last minute in which the project ran: its counters have this minute and the one before it, of which
# the part counts that is not a minute old. If it runs for less than a minute: what it has settled since then. One that
# has settled nothing so recently is slow, and its rate is that of the last 15 to 30 minutes.
RATE = """
SELECT CASE
  WHEN p.status <> 'running' THEN 0
  WHEN p.running_since > now() - interval '1 minute' AND b.settled > p.settled_before
    THEN (b.settled - p.settled_before) * 60
      / GREATEST(EXTRACT(epoch FROM now() - p.running_since), 5)
  WHEN c.settled > 0 THEN c.settled
  ELSE b.quarters * 60 / GREATEST(EXTRACT(epoch FROM now() - GREATEST(clock.since, p.started_at)), 60)
END::float8 AS per_minute
FROM (
  SELECT COALESCE(sum(CASE clock.minute - minute_at
    WHEN interval '0' THEN minute_settled + last_minute_settled * clock.rest
    WHEN interval '1 minute' THEN minute_settled * clock.rest END), 0) AS settled
  FROM sending_counters WHERE project_id = p.id
) AS c CROSS JOIN (
  SELECT COALESCE(sum(sent + failed), 0) AS quarters,
    COALESCE(sum(sent + failed) FILTER (
      WHERE bucket >= date_bin('15 minutes', p.running_since, timestamptz '2000-01-01 00:00Z')), 0) AS settled
  FROM statistics_buckets WHERE project_id = p.id AND bucket >= clock.since
) AS b
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
