"""Gives a contact the entries of another one that is merged into it, so that a person gets no step twice."""

from typing import Any, Final
from uuid import UUID

# Both have been in the series: the person is as far as the entry that is farther, and is stopped if one of them was.
_JOIN: Final = """
UPDATE series_entries AS e SET step = GREATEST(e.step, o.step), entered_at = LEAST(e.entered_at, o.entered_at),
  begun_at = GREATEST(e.begun_at, o.begun_at),
  recipient_id = CASE WHEN o.step > e.step THEN o.recipient_id ELSE e.recipient_id END,
  state = CASE WHEN 'stopped' IN (e.state, o.state) THEN 'stopped'
    WHEN 'finished' IN (e.state, o.state) THEN 'finished'
    WHEN 'waiting' IN (e.state, o.state) THEN 'waiting' ELSE 'excluded' END,
  stop_reason = COALESCE(e.stop_reason, o.stop_reason),
  ended_at = COALESCE(e.ended_at, o.ended_at), updated_at = now(),
  due_at = CASE WHEN NOT ARRAY[e.state, o.state] && '{stopped,finished}' THEN LEAST(e.due_at, o.due_at) END
FROM series_entries AS o WHERE e.contact_id = $2 AND o.contact_id = $1 AND o.series_id = e.series_id
"""
_MOVE: Final = """
UPDATE series_entries AS e SET contact_id = $2, updated_at = now() WHERE contact_id = $1
  AND NOT EXISTS (SELECT FROM series_entries AS o WHERE o.series_id = e.series_id AND o.contact_id = $2)
"""


async def merge(connection: Any, merged_id: UUID, into_id: UUID) -> None:
    """Gives a contact the entries of another one, which is deleted next, so that it gets no step twice."""
    await connection.execute(_JOIN, merged_id, into_id)
    await connection.execute(_MOVE, merged_id, into_id)
