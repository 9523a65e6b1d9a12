"""Loads an account for its driver: the row, with the secrets decrypted."""

from typing import Any, Final
from uuid import UUID

import asyncpg
import orjson

from engine.messengers import proxies
from engine.messengers.accounts import AccountSettings
from messengers.port import Account
from runtime.services import Services
from shapes.messenger_accounts import MessengerSource

_LOAD: Final = """
SELECT a.*, a.wanted AND a.deleted_at IS NULL AND u.status = 'active' AS wished, u.status AS owner_status
FROM messenger_accounts AS a JOIN users AS u ON u.id = a.owner_id WHERE a.id = $1 FOR NO KEY UPDATE OF a
"""


async def load_row(db: asyncpg.Connection, account_id: UUID) -> Any:
    """Returns the row, after everything that an earlier holder had begun to write. `wished`: it is to be connected."""
    return await db.fetchrow(_LOAD, account_id)


async def driver_account(services: Services, row: Any, config: AccountSettings) -> Account:
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
        config=config.document,
    )
