"""Keeps source accounts in step with the messenger accounts behind them; projects follow the source accounts.

A source account with the source and login of a messenger account of the same owner sends through it, whichever of the
two was added first. Messages leave through it while the messenger account is `working`.
"""

from uuid import UUID

import asyncpg

from engine.hook_events import look_again
from shapes.messenger_accounts import AccountState
from shapes.source_accounts import SenderStatus

_SET_STATUS = """
UPDATE source_accounts SET status = $2, status_at = now(), updated_at = now(),
  messenger_account_uuid = CASE WHEN $3 THEN NULL ELSE messenger_account_uuid END
WHERE id IN (
  SELECT id FROM source_accounts WHERE messenger_account_uuid = $1 AND status <> 'deleted' AND ($3 OR status <> $2)
  ORDER BY id FOR NO KEY UPDATE
)
RETURNING id, owner_id
"""
_LINK = """
UPDATE source_accounts AS s SET messenger_account_uuid = a.id, status_at = now(), updated_at = now(),
  status = CASE a.state WHEN 'working' THEN 'connected' WHEN 'blocked' THEN 'blocked' ELSE 'disconnected' END
FROM messenger_accounts AS a
WHERE a.id = $1 AND a.deleted_at IS NULL AND s.owner_id = a.owner_id AND s.source = a.source AND s.login = a.login
  AND s.status <> 'deleted' AND s.messenger_account_uuid IS DISTINCT FROM a.id
"""
_FIND = """
SELECT id FROM messenger_accounts
WHERE owner_id = $1 AND source = $2 AND login = $3 AND deleted_at IS NULL
"""


async def update_source_accounts(
    db: asyncpg.Connection, account_id: UUID, state: AccountState | None
) -> None:
    """Updates the source accounts in the transaction that changes the state; None: the messenger account is deleted."""
    if state is AccountState.working:
        status = SenderStatus.connected
    elif state is AccountState.blocked:
        status = SenderStatus.blocked
    else:
        status = SenderStatus.disconnected
    changed = await db.fetch(_SET_STATUS, account_id, status.value, state is None)
    if changed and status is SenderStatus.connected:
        await look_again(db, changed[0]["owner_id"], [row["id"] for row in changed])


async def link_messenger_account(db: asyncpg.Connection, account_id: UUID) -> None:
    """Links the source accounts of the same name to a messenger account that was added."""
    # The lock keeps the state unchanged until the commit; later changes reach the source account through `follow`.
    await db.execute("SELECT FROM messenger_accounts WHERE id = $1 FOR SHARE", account_id)
    await db.execute(_LINK, account_id)


async def link_source_account(db: asyncpg.Connection, owner_id: UUID, source: str, login: str) -> None:
    """Links a source account that was added to the messenger account of its name, if there is one."""
    if (account := await db.fetchval(_FIND, owner_id, source, login)) is not None:
        await link_messenger_account(db, account)
