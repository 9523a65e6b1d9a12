"""Moves direct messages that are scheduled to another time."""

from datetime import UTC, datetime
from uuid import UUID

import asyncpg

from core import change_events
from db.session import Database
from engine.direct import canceling
from engine.queue import wake
from runtime import audit

# A message whose time has come may be claimed by a worker at this moment: of the two updates of the row one comes
# first, and the other finds nothing to change.
_MOVE = """
WITH before AS MATERIALIZED (SELECT id, send_at FROM messages WHERE id = $1 FOR UPDATE NOWAIT)
UPDATE messages AS m SET send_at = $2, due_at = $2, expires_at = m.expires_at + ($2 - m.send_at), updated_at = now()
FROM before WHERE m.id = before.id AND m.direction = 'outbound' AND m.state = 'queued' AND m.send_at > now()
  AND m.claim_id IS NULL AND m.handed_at IS NULL
RETURNING m.owner_id, m.state, m.channel, before.send_at AS earlier, $2 <= now() AS is_due
"""


async def move(db: Database, id: UUID, at: datetime) -> bool:
    """Lets a scheduled message be sent at another time. Returns False if it is not scheduled any more.

    Raises RateLimited (`account_busy`) if the message stays locked; then nothing has changed.
    """

    async def work(connection: asyncpg.Connection) -> bool:
        row = await connection.fetchrow(_MOVE, id, at)
        if row is not None and row["is_due"]:
            await wake(connection, row["channel"])
        if row is not None:
            change_events.message(row["owner_id"], id, row["state"])
            times = [time.astimezone(UTC).isoformat() for time in (row["earlier"], at)]
            await audit.record(connection, row["owner_id"], "message", id, {"sendAt": times})
        return row is not None

    return await canceling.until_unlocked(db, work)
