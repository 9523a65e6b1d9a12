"""The latest states of each messenger account, so that its owner sees when and why it was down."""

from datetime import datetime
from typing import Final
from uuid import UUID

import asyncpg

from core.ids import uuid7
from shapes.messenger_accounts import MOST_STATE_CHANGES, AccountState

# An account that can't connect fails in the same way again and again: that is one row.
_RECORD: Final = f"""
WITH newest AS (
  SELECT id, state, reason_code, row_number() OVER (ORDER BY id DESC) AS place
  FROM messenger_state_changes WHERE account_id = $2
), too_old AS (
  DELETE FROM messenger_state_changes WHERE id IN (SELECT id FROM newest WHERE place >= {MOST_STATE_CHANGES})
)
INSERT INTO messenger_state_changes (id, account_id, state, reason, reason_code, until)
SELECT $1, $2, $3, $4, $5, $6
WHERE NOT EXISTS (SELECT FROM newest WHERE place = 1 AND state = $3 AND reason_code IS NOT DISTINCT FROM $5)
"""  # noqa: S608  our own number


async def record(
    db: asyncpg.Connection,
    account_id: UUID,
    before: str,
    state: AccountState,
    *,
    reason: str | None = None,
    code: str | None = None,
    until: datetime | None = None,
) -> None:
    """Keeps a change of the state. The transaction has locked the account's row.

    A further attempt of an account that reconnects is no change.
    """
    if state == before or (before == AccountState.reconnecting and state is AccountState.starting):
        return
    await db.execute(_RECORD, uuid7(), account_id, state.value, reason, code, until)
