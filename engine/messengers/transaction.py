"""One transaction that stores the events of an account's chats, and passes them to webhooks and subscribers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from engine.messengers import accounts
from engine.messengers.accounts import AccountSettings
from engine.webhooks import chat_bodies, outbox
from engine.webhooks.chat_bodies import Row
from engine.webhooks.outbox import OutboxEvent
from runtime.services import Services

MAX_PUBLISHED = (
    1000  # events of one transaction that are published; a subscriber that needs more reads the chat
)

# Serializes the writers of an account's messages until the end of the transaction: the process that holds the account
# and the one that sends may both learn of the same message.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('messenger:' || $1::uuid::text, 0))"
_ACCOUNT = "SELECT id, owner_id, source, login, connected_phone FROM messenger_accounts WHERE id = $1"


@dataclass(slots=True)
class ChatTransaction:
    """Collects events in the order of `index` (the order of the driver's events), a message before its status."""

    services: Services
    db: asyncpg.Connection
    account: Row
    settings: AccountSettings
    now: datetime
    _webhooks: list[tuple[int, int, OutboxEvent]] = field(default_factory=list)
    _published: list[tuple[int, int, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def id(self) -> UUID:
        id: UUID = self.account["id"]
        return id

    def message(self, index: int, row: Row, kind: str, reply_to: UUID | None) -> None:
        """Adds a message. `kind` is the chat's; `reply_to` the item that it answers."""
        if not (row["outgoing"] and self.settings.quiet.ignore_outgoing):
            self._add_webhook(
                index,
                0,
                kind,
                "message",
                chat_bodies.message_body(self.services, self.account, row, reply_to),
                row,
            )
        self._add_published(index, 0, "message", row)

    def status(self, index: int, row: Row, kind: str, at: datetime | None) -> None:
        """Adds a status."""
        if not self.settings.quiet.ignore_statuses:
            body = chat_bodies.status_body(self.account, row, at or self.now)
            self._add_webhook(index, 1, kind, "message_status", body, row)
        self._add_published(index, 1, "status", row, status=row["status"])

    def reaction(
        self, index: int, row: Row, kind: str, sender: str, emoji: str | None, at: datetime, outgoing: bool
    ) -> None:
        """Adds a reaction."""
        quiet = self.settings.quiet
        if not (quiet.ignore_reactions or (outgoing and quiet.ignore_outgoing)):
            body = chat_bodies.reaction_body(self.account, row, sender, emoji, at, outgoing)
            self._add_webhook(index, 2, kind, "add_message_reaction", body, row)
        self._add_published(index, 2, "reaction", row)

    def edit(self, index: int, row: Row, kind: str) -> None:
        """Adds a changed text. `row` also has the time of the edit."""
        if not (row["outgoing"] and self.settings.quiet.ignore_outgoing):
            body = chat_bodies.edit_body(self.services, self.account, row)
            self._add_webhook(index, 3, kind, "message_edited", body, row)
        self._add_published(index, 3, "edit", row)

    def deletion(self, index: int, row: Row, kind: str) -> None:
        """Adds a deletion."""
        self._add_webhook(
            index, 4, kind, "message_deleted", chat_bodies.deletion_body(self.account, row, self.now), row
        )
        self._add_published(index, 4, "deletion", row)

    async def end(self) -> list[Mapping[str, Any]]:
        """Puts the events into the outbox. Returns the changes to publish after the commit."""
        if self._webhooks:
            await outbox.put(self.db, self.id, [entry[2] for entry in _in_order(self._webhooks)])
        return [entry[2] for entry in _in_order(self._published)[-MAX_PUBLISHED:]]

    def _add_webhook(
        self, index: int, rank: int, kind: str, name: str, body: Mapping[str, Any], row: Row
    ) -> None:
        quiet = self.settings.quiet
        if (kind == "group" and quiet.ignore_groups) or (kind == "channel" and quiet.ignore_channels):
            return
        self._webhooks.append((index, rank, OutboxEvent(name, body, row["thread"])))

    def _add_published(self, index: int, rank: int, kind: str, row: Row, **more: Any) -> None:
        change = {
            "kind": kind,
            "account": str(self.id),
            "item": str(row["id"]),
            "thread": row["thread"],
            "outgoing": row["outgoing"],
            **more,
        }
        self._published.append((index, rank, change))


async def begin(services: Services, db: asyncpg.Connection, account_id: UUID) -> ChatTransaction | None:
    """Begins a writing in the caller's transaction; until its end no other writer stores messages of this account.

    Returns None if there is no such account.
    """
    await db.execute(_LOCK, account_id)
    account = await db.fetchrow(_ACCOUNT, account_id)
    if account is None:
        return None
    return ChatTransaction(
        services, db, account, await accounts.settings_of(db, account_id), services.db.now()
    )


def _in_order(entries: Sequence[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    return sorted(entries, key=lambda entry: entry[:2])
