"""One transaction that stores what happens in an account's chats, and passes it to webhooks and subscribers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from engine.messengers import bodies, configuration
from engine.messengers.bodies import Row
from engine.messengers.configuration import Config
from engine.webhooks import outbox
from engine.webhooks.outbox import Told
from runtime.services import Services

MOST_ANNOUNCED = (
    1000  # events of one transaction that are published; a subscriber that needs more reads the chat
)

# Serializes the writers of an account's messages until the end of the transaction: the process that holds the account
# and the one that sends may both learn of the same message.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('messenger:' || $1::uuid::text, 0))"
_ACCOUNT = "SELECT id, owner_id, source, login, connected_phone FROM messenger_accounts WHERE id = $1"


@dataclass(slots=True)
class Writing:
    """Collects events in the order of `place` (the order of the driver's events), a message before its status."""

    services: Services
    db: asyncpg.Connection
    account: Row
    config: Config
    now: datetime
    _told: list[tuple[int, int, Told]] = field(default_factory=list)
    _announced: list[tuple[int, int, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def id(self) -> UUID:
        id: UUID = self.account["id"]
        return id

    def message(self, place: int, row: Row, kind: str, reply_to: UUID | None) -> None:
        """Adds a message. `kind` is the chat's; `reply_to` the item that it answers."""
        if not (row["outgoing"] and self.config.quiet.ignore_outgoing):
            self._tell(
                place, 0, kind, "message", bodies.message(self.services, self.account, row, reply_to), row
            )
        self._announce(place, 0, "message", row)

    def status(self, place: int, row: Row, kind: str, at: datetime | None) -> None:
        """Adds a status."""
        if not self.config.quiet.ignore_statuses:
            body = bodies.status(self.account, row, at or self.now)
            self._tell(place, 1, kind, "message_status", body, row)
        self._announce(place, 1, "status", row, status=row["status"])

    def reaction(
        self, place: int, row: Row, kind: str, sender: str, emoji: str | None, at: datetime, outgoing: bool
    ) -> None:
        """Adds a reaction."""
        quiet = self.config.quiet
        if not (quiet.ignore_reactions or (outgoing and quiet.ignore_outgoing)):
            body = bodies.reaction(self.account, row, sender, emoji, at, outgoing)
            self._tell(place, 2, kind, "add_message_reaction", body, row)
        self._announce(place, 2, "reaction", row)

    def deletion(self, place: int, row: Row, kind: str) -> None:
        """Adds a deletion."""
        self._tell(place, 3, kind, "message_deleted", bodies.deletion(self.account, row, self.now), row)
        self._announce(place, 3, "deletion", row)

    async def end(self) -> list[Mapping[str, Any]]:
        """Puts the events into the outbox. Returns what is to be published after the commit."""
        if self._told:
            await outbox.put(self.db, self.id, [one[2] for one in _in_order(self._told)])
        return [one[2] for one in _in_order(self._announced)[-MOST_ANNOUNCED:]]

    def _tell(self, place: int, rank: int, kind: str, name: str, body: Mapping[str, Any], row: Row) -> None:
        quiet = self.config.quiet
        if (kind == "group" and quiet.ignore_groups) or (kind == "channel" and quiet.ignore_channels):
            return
        self._told.append((place, rank, Told(name, body, row["thread"])))

    def _announce(self, place: int, rank: int, what: str, row: Row, **more: Any) -> None:
        said = {
            "kind": what,
            "account": str(self.id),
            "item": str(row["id"]),
            "thread": row["thread"],
            "outgoing": row["outgoing"],
            **more,
        }
        self._announced.append((place, rank, said))


async def begin(services: Services, db: asyncpg.Connection, account_id: UUID) -> Writing | None:
    """Begins a writing in the caller's transaction; until its end no other writer stores messages of this account.

    Returns None if there is no such account.
    """
    await db.execute(_LOCK, account_id)
    account = await db.fetchrow(_ACCOUNT, account_id)
    if account is None:
        return None
    return Writing(services, db, account, await configuration.of(db, account_id), services.db.now())


def _in_order(told: Sequence[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    return sorted(told, key=lambda one: one[:2])
