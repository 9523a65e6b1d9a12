"""Deletes accounts a day after their deletion: first what belongs to them, in batches, then the account."""

from typing import Final

import structlog

from engine.jobs import every
from runtime.services import Services

log = structlog.get_logger("postern.upkeep")

PURGE_BATCH: Final = 5000
"""Rows per statement, few enough for the statement time-out, however much there is to delete."""
_PURGED_AT_ONCE: Final = 100  # accounts per round

# An account whose session is not cleared yet, or that a process still holds, has to wait.
_DUE = """
SELECT a.id FROM messenger_accounts AS a
WHERE a.deleted_at < now() - interval '1 day' AND NOT a.clearing
  AND NOT EXISTS (SELECT FROM messenger_holds AS h WHERE h.account_id = a.id AND h.expires_at > now())
ORDER BY a.id LIMIT $1
"""
# Tables that may have many rows; the rest is deleted by cascade with the account.
_PARTS: Final = ("messenger_messages", "messenger_events", "messenger_chats")
_PURGE_PART = "DELETE FROM {0} WHERE id IN (SELECT id FROM {0} WHERE account_id = $1 LIMIT $2) RETURNING 1"
_PURGE_ACCOUNT = "DELETE FROM messenger_accounts WHERE id = $1 AND deleted_at IS NOT NULL AND NOT clearing"


@every(300.0)
async def purge(services: Services) -> None:
    """Deletes what is due. Several workers may run it at once."""
    for row in await services.db.fetch(_DUE, _PURGED_AT_ONCE):
        for part in _PARTS:
            while len(await services.db.fetch(_PURGE_PART.format(part), row.id, PURGE_BATCH)) == PURGE_BATCH:
                if services.stopping.is_set():
                    return
        await services.db.fetch(_PURGE_ACCOUNT, row.id)
        log.info("a deleted messenger account is forgotten", account=str(row.id))
