"""Ends the messenger accounts of a deleted user, in the transaction of the deletion."""

from typing import Any, Final
from uuid import UUID

import asyncpg

# A session that can't be used again is logged out and deleted.
_STOP_ALL: Final = """
UPDATE messenger_accounts SET wanted = false, clearing = true, updated_at = now()
WHERE owner_id = $1 AND deleted_at IS NULL AND (wanted OR session_encrypted IS NOT NULL OR state <> 'stopped')
"""


async def end_accounts_of(connection: asyncpg.Connection | Any, user_id: UUID, *, for_good: bool) -> None:
    """Ends the accounts and sessions of a deleted user (`for_good`).

    A suspended user's accounts need no change: a host connects only accounts of active users
    (engine/messengers/leases.py), and checks every two seconds.
    """
    if for_good:
        await connection.execute(_STOP_ALL, user_id)
