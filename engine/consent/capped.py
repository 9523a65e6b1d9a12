"""Emits the event which says that the sign-up forms have asked as many addresses as they may in a day."""

from typing import Final
from uuid import UUID

from cachetools import TTLCache

from runtime.services import Services

_HOUR: Final = 3600.0
_REMEMBERED: Final = 10_000
# The feed remembers when that was, so that of processes which find the same one emits it.
_EMIT = """
WITH due AS (
  UPDATE event_feeds SET signups_capped_at = now() WHERE owner_id = $1 AND recording
    AND (signups_capped_at IS NULL OR signups_capped_at <= now() - interval '1 day') RETURNING owner_id
)
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
SELECT f.owner_id, 'subscribe.capped', 'signupForm', f.id, jsonb_build_object('uuid', f.id, 'name', f.name,
  'topicUuids', f.topic_uuids, 'enabled', f.enabled, 'createdAt', postern_utc(f.created_at))
FROM signup_forms AS f JOIN due AS d USING (owner_id) WHERE f.id = $2
"""


class _Emitted:
    """Remembers of which owners this process has emitted the event lately, so that a flood writes nothing."""

    def __init__(self) -> None:
        self.owner_ids: TTLCache[UUID, bool] = TTLCache(_REMEMBERED, _HOUR)


async def emit(services: Services, owner_id: UUID, form_id: UUID) -> None:
    """Records the event `subscribe.capped`, once a day and owner, with the form by which the cap was met."""
    emitted = services.single(_Emitted, _Emitted)
    if owner_id in emitted.owner_ids:
        return
    await services.db.fetch(_EMIT, owner_id, form_id)
    emitted.owner_ids[owner_id] = True
