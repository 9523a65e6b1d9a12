"""Has messages that wait for a receiver looked at again soon, when a pause is lifted or a rule is changed."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from engine import queue
from engine.projects import due
from engine.receivers.admission import LIMITED
from engine.receivers.rules import PAUSED
from shapes.messages import MessageChannel

_DELAY: Final = timedelta(seconds=2)  # every worker has read the change by then

# So many at once; those beyond are looked at when their own time has come.
_DUE: Final = """
UPDATE messages SET due_at = now() + $4, updated_at = now() WHERE id IN (
  SELECT id FROM messages
  WHERE state = 'queued' AND channel = $3 AND due_at BETWEEN now() + $4 AND now() + interval '2 days'
    AND failure_code = ANY($2) AND ($1::uuid IS NULL OR owner_id = $1) AND claim_id IS NULL
  LIMIT 10000 FOR UPDATE SKIP LOCKED
)
"""


async def make_due(db: Any, owner: UUID | None) -> None:
    """Makes the messages of one owner, or of all, due."""
    email = MessageChannel.email.value
    await db.execute(_DUE, owner, [PAUSED, LIMITED], email, _DELAY)
    await queue.wake_later(db, email, _DELAY)
    for code in (PAUSED, LIMITED):
        await due.make_due(db, owner, code, email, _DELAY)
