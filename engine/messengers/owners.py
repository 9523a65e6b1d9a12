"""Messenger accounts of a user who leaves: in the transaction in which he does."""

from typing import Any, Final
from uuid import UUID

import asyncpg

# A session that nobody can use again is logged out and forgotten.
_STOP_ALL: Final = """
UPDATE messenger_accounts SET wanted = false, clearing = true, updated_at = now()
WHERE owner_id = $1 AND deleted_at IS NULL AND (wanted OR session_encrypted IS NOT NULL OR state <> 'stopped')
"""


async def owner_left(connection: asyncpg.Connection | Any, user_id: UUID, *, for_good: bool) -> None:
    """A deleted user's accounts end, and their sessions with them. Those of a suspended one need nothing: a host
    connects accounts of active users alone (engine/messengers/holds.py), and looks every two seconds.
    """
    if for_good:
        await connection.execute(_STOP_ALL, user_id)
