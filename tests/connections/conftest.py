"""Makes rows of every kind, for tests that follow relations."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from runtime.services import Services
from tests.support.people import Person

ACCOUNT = """INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver)
VALUES ($1, $2, 'telegram', $3, $3, 'sandbox')"""
CHAT = "INSERT INTO messenger_chats (id, account_id, thread, name, last_at) VALUES ($1, $2, $3, $3, $4)"
MESSAGE = """INSERT INTO messenger_messages (id, account_id, chat_id, thread, outgoing, text, status, at)
VALUES ($1, $2, $3, $4, false, $4, 'delivered', $5)"""
CONFIG = "INSERT INTO messenger_configs (id, account_id, name, config) VALUES ($1, $2, $3, '{}')"
WEBHOOK = """INSERT INTO webhooks (id, account_id, url, secret_encrypted, owner_id)
VALUES ($1, $2, $3, 'x', $4)"""
LETTER = """INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, attempts, state, dead_at)
VALUES ($1, $2, $1, 'message', '{"a": 1}', 1, 'dead', now())"""
SENDER = """INSERT INTO source_accounts
  (id, owner_id, source, login, name, messenger_account_uuid, token_hash, token_encrypted, token_hint)
VALUES ($1, $2, 'telegram', $3, $3, $4, $5, 'x', '…')"""
FILE = """INSERT INTO files (id, owner_id, name, original_name, mime, size, sha256)
VALUES ($1, $2, $3, $4, 'text/csv', 3, repeat('0', 64))"""
IMPORT = """INSERT INTO recipient_imports (id, owner_id, status, file_uuid, file_name, region)
VALUES ($1, $2, 'ready', $3, $4, 'US')"""
ROW = "INSERT INTO import_rows (import_id, line, address) VALUES ($1, $2, '+14155550100')"
EXPORT = """INSERT INTO export_links (id, owner_id, source, status, file_uuid, sending_project_uuid)
VALUES ($1, $2, 'messages', 'ready', $3, $4)"""
BLOCKED = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES ($1, $2, $3)"


class Rows:
    """Writes rows of a person, each with what belongs to it."""

    def __init__(self, services: Services) -> None:
        self.db = services.db

    async def _make(self, sql: str, *values: Any) -> UUID:
        id = uuid7()
        await self.db.fetch(sql, id, *values)
        return id

    async def messenger(self, who: Person, name: str, times: int = 1) -> dict[str, UUID]:
        """An account with so many chats, documents, webhooks … each of which has as much. The last ones."""
        account = await self._make(ACCOUNT, who.id, name)
        now, made = datetime.now(UTC), {"MessengerAccount": account}
        for number in range(times):
            made["MessengerChat"] = chat = await self._make(CHAT, account, f"{name} {number}", now)
            made["Webhook"] = hook = await self._make(
                WEBHOOK, account, f"https://example.com/{number}", who.id
            )
            made["SourceAccount"] = await self._make(
                SENDER, who.id, f"{name} {number}", account, str(uuid7()).encode()
            )
            await self._make(CONFIG, account, f"c{number}")
            for two in range(times):
                made["MessengerMessage"] = await self._make(
                    MESSAGE, account, chat, f"{name} {number} {two}", now
                )
                made["DeadLetter"] = made["WebhookDelivery"] = await self._make(LETTER, hook)
        return made

    async def file(self, who: Person, name: str, times: int = 1) -> dict[str, UUID]:
        """A file that was read and written so often."""
        id = await self._make(FILE, who.id, name, f"{name} {uuid7()}")
        made = {"File": id}
        for _ in range(times):
            made["RecipientImport"] = listed = await self._make(IMPORT, who.id, id, name)
            made["ExportLink"] = await self._make(EXPORT, who.id, id, None)
            for line in range(times):
                await self.db.fetch(ROW, listed, line + 1)
        return made

    async def block(self, who: Person, phone: str) -> UUID:
        return await self._make(BLOCKED, who.id, phone)


@pytest.fixture
def rows(services: Services) -> Rows:
    return Rows(services)
