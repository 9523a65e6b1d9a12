"""Tells which messages of a step of a series must not be sent any more: the series has ended for the person."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from db.address_keys import key_of

CODE: Final = "series_stopped"
"""The code of a message that is not sent, because the series has ended for the person meanwhile."""
REASON: Final = "The series has ended for this person, or was archived."

REPLIED: Final = f"""EXISTS (
  SELECT FROM contact_addresses AS a JOIN message_records AS i
    ON {key_of('i."to"')} = {key_of("a.address")} AND i.owner_id = a.owner_id
  WHERE a.contact_id = {{contact}} AND i.direction = 'inbound' AND i.queued_at > {{since}} OFFSET 0)"""
"""The condition under which a contact has written since a time; both are SQL expressions."""

# The contact of a recipient may have been merged into another one, and a contact that is gone was erased or deleted.
_STOPPED: Final = f"""
SELECT m.id FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
JOIN sending_projects AS p ON p.id = m.project_id JOIN series AS s ON s.id = p.series_id
LEFT JOIN contact_merges AS g ON g.id = r.contact_id
LEFT JOIN series_entries AS e ON e.series_id = s.id AND e.contact_id = COALESCE(g.contact_id, r.contact_id)
WHERE m.id = ANY($1) AND (s.status = 'archived' OR e.id IS NULL OR e.state = 'stopped'
  OR s.stop_on_reply AND {REPLIED.format(contact="e.contact_id", since="e.entered_at")})
UNION SELECT m.id FROM message_records AS m WHERE m.id = ANY($1)
  AND NOT EXISTS (SELECT FROM recipients AS r WHERE r.id = m.recipient_id)
"""  # noqa: S608  our own conditions


async def stopped(db: Any, messages: Sequence[UUID]) -> set[UUID]:
    """Returns which of these messages of a step must not be sent any more."""
    return {row["id"] for row in await db.fetch(_STOPPED, messages)}
