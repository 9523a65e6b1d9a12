"""The stored account: its settings, its row with the secrets decrypted, and its end.

The owner makes the settings in the document `default` (setConfig); here the defaults are filled in. They are read again
in every transaction that depends on them (one row by its key). A connected account keeps an `AccountSettings` and reads
it again when it is woken (`call_client.wake`, which setConfig calls after its commit): `version` changes with the
document, also when the document is removed.

A deleted account is purged a day later: first its rows in other tables, in batches, then its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID

import asyncpg
import orjson
import structlog
from pydantic import ValidationError

from db.query import execute_planned
from engine.jobs import every
from engine.messengers import proxies
from messengers.port import Account
from runtime.services import Services
from shapes.configuration import DEFAULT, DefaultConfig, Quiet, Reconnect
from shapes.messenger_accounts import AccountState, MessengerSource

log = structlog.get_logger("postern.upkeep")

_READ = "SELECT config, updated_at FROM messenger_configs WHERE account_id = $1 AND name = $2"


class Reads(Protocol):
    """A connection, or the database."""

    async def fetchrow(self, sql: str, *arguments: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class AccountSettings:
    """The settings of one account. `document` is the owner's document, which drivers get as `Account.config`."""

    document: Mapping[str, Any] = field(default_factory=dict)
    version: datetime | None = None
    auto_read: bool = False  # mark incoming messages as read, once they are stored
    reconnect: Reconnect = field(default_factory=Reconnect)  # max_attempts: in a row; None: no limit
    quiet: Quiet = field(default_factory=Quiet)  # chats that are stored without a webhook
    takeover: bool = False  # reconnect when another client takes over this session
    state_webhooks: bool | Mapping[AccountState, bool] = True

    def has_webhook(self, state: AccountState) -> bool:
        """Returns whether webhooks are called for this state. A state that the owner did not name is reported."""
        setting = self.state_webhooks
        return setting if isinstance(setting, bool) else setting.get(state, True)


_LOAD: Final = """
SELECT a.*, a.wanted AND a.deleted_at IS NULL AND u.status = 'active' AS to_connect, u.status AS owner_status
FROM messenger_accounts AS a JOIN users AS u ON u.id = a.owner_id WHERE a.id = $1 FOR NO KEY UPDATE OF a
"""
# A session that can't be used again is logged out and deleted.
_STOP_ALL: Final = """
UPDATE messenger_accounts SET wanted = false, clearing = true, updated_at = now()
WHERE owner_id = $1 AND deleted_at IS NULL AND (wanted OR session_encrypted IS NOT NULL OR state <> 'stopped')
"""
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
_PURGE_PARTS: Final = (
    (
        "DELETE FROM messenger_messages WHERE id IN (SELECT id FROM messenger_messages"
        " WHERE account_id = $1 LIMIT $2)"
    ),
    """DELETE FROM webhook_deliveries WHERE id IN (
      SELECT d.id FROM webhooks AS w JOIN webhook_deliveries AS d ON d.webhook_id = w.id WHERE w.account_id = $1
        LIMIT $2
    )""",
    (
        "DELETE FROM messenger_chats WHERE id IN (SELECT id FROM messenger_chats WHERE account_id = $1"
        " LIMIT $2)"
    ),
)
_PURGE_ACCOUNT = "DELETE FROM messenger_accounts WHERE id = $1 AND deleted_at IS NOT NULL AND NOT clearing"


async def settings_of(db: Reads, account_id: UUID) -> AccountSettings:
    """Returns the account's settings; the defaults where nothing is set."""
    row = await db.fetchrow(_READ, account_id, DEFAULT)
    return AccountSettings() if row is None else read_settings(row["config"], row["updated_at"])


def read_settings(document: Mapping[str, Any], version: datetime | None = None) -> AccountSettings:
    """Returns the settings of a document. Keys that this version does not accept are skipped: another version may have
    written them."""
    valid: dict[str, Any] = {}
    for key, value in document.items():
        try:
            DefaultConfig.model_validate({key: value})
        except ValidationError:
            continue
        valid[key] = value
    config = DefaultConfig.model_validate(valid)
    return AccountSettings(
        document=document,
        version=version,
        auto_read=config.auto_read,
        reconnect=config.reconnect,
        quiet=config.quiet,
        takeover=config.takeover,
        state_webhooks=config.state_webhooks,
    )


async def load_row(db: asyncpg.Connection, account_id: UUID) -> Any:
    """Returns the row, after everything that an earlier holder had begun to write. `to_connect`: whether it is to be
    connected.
    """
    return await db.fetchrow(_LOAD, account_id)


async def driver_account(services: Services, row: Any, settings: AccountSettings) -> Account:
    """Builds the driver's Account from the row. Raises vault.Sealed, proxies.Refusal."""

    def opened(column: str) -> str | None:
        sealed = row[f"{column}_encrypted"]
        return (
            None
            if sealed is None
            else services.vault.open(sealed, f"messenger_accounts.{column}:{row['id']}")
        )

    credentials = opened("credentials")
    return Account(
        id=row["id"],
        source=MessengerSource(row["source"]),
        login=row["login"],
        phone=row["phone"],
        session=opened("session"),
        cursor=row["cursor"] or {},
        proxy=await proxies.for_driver(services, row),
        credentials=orjson.loads(credentials) if credentials else {},
        config=settings.document,
    )


async def end_accounts_of(connection: asyncpg.Connection | Any, user_id: UUID, *, for_good: bool) -> None:
    """Ends the accounts and sessions of a deleted user (`for_good`).

    A suspended user's accounts need no change: a host connects only accounts of active users
    (engine/messengers/leases.py), and checks every two seconds.
    """
    if for_good:
        await connection.execute(_STOP_ALL, user_id)


@every(300.0, due="EXISTS (SELECT FROM messenger_accounts)")
async def purge(services: Services) -> None:
    """Deletes due accounts. Several workers may run it at once."""
    for row in await services.db.fetch(_DUE, _PURGED_AT_ONCE):
        for purge_part in _PURGE_PARTS:
            while await execute_planned(services.db, purge_part, row.id, PURGE_BATCH) == PURGE_BATCH:
                if services.stopping.is_set():
                    return
        await services.db.fetch(_PURGE_ACCOUNT, row.id)
        log.info("a deleted messenger account is purged", account=str(row.id))
