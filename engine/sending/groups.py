"""Stores groups: the outcomes of messages, intents that are withdrawn, and the intents of the next messages."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from channels.port import Outcome, Result
from core.change_events import ChangeEvents
from db.session import Database
from engine.sending.delivery import Delivery
from engine.sending.judge import State, Verdict
from engine.sending.port import Message, WithVerdict
from runtime.retry import until_stored

log = structlog.get_logger("postern.sending")

UNWRITABLE = "outcome_unwritable"
"""The code of a message whose outcome the database refused; see the log."""


class GroupStore:
    """Stores the groups of one route."""

    def __init__(self, db: Database, label: str, change_events: ChangeEvents) -> None:
        """`label`: under which the route stands in the tables."""
        self._db, self.label, self._change_events = db, label, change_events

    async def commit(
        self,
        decided: dict[Delivery, list[WithVerdict]],
        withdrawn: Sequence[tuple[Delivery, Message]],
        chosen: Sequence[tuple[Delivery, list[Message]]],
    ) -> list[list[Message]]:
        """Stores all of it in one transaction. Returns the messages of each choice that may be dispatched."""

        deliveries = {*decided, *(delivery for delivery, _ in chosen)}
        alone = None if len(deliveries) != 1 or len(chosen) > 1 or withdrawn else deliveries.pop()

        async def once(db: asyncpg.Connection) -> list[list[Message]]:
            if alone is not None and alone.group_writer is not None:
                messages = chosen[0][1] if chosen else []
                rows = decided.get(alone, [])
                recorded = await alone.group_writer.store_group(db, self.label, rows, messages)
                if recorded is not None:
                    return [recorded] if chosen else []
            async with db.transaction():
                for delivery, entries in sorted(decided.items(), key=_lock_order):
                    await _store_entries(db, delivery, entries)
                for delivery in dict.fromkeys(delivery for delivery, _ in withdrawn):
                    mine = [message for other, message in withdrawn if other is delivery]
                    await delivery.claim.withdraw_intents(db, mine)
                return [
                    await delivery.claim.record_intents(db, self.label, messages)
                    for delivery, messages in chosen
                ]

        with self._change_events.emitting():
            return await until_stored(self._db, once)

    async def store_apart(
        self, decided: dict[Delivery, list[WithVerdict]]
    ) -> dict[Delivery, list[WithVerdict]]:
        """Stores outcomes one by one, so that one that the database never takes holds up no other.

        That one becomes a bare `unknown`. Returns the stored verdicts.
        """
        stored: dict[Delivery, list[WithVerdict]] = {}
        for delivery, entries in decided.items():
            for message, verdict in entries:
                bare = Verdict(State.unknown, message.attempts, message.tries, UNWRITABLE)
                for attempt in (verdict, bare):
                    if attempt is bare:
                        message.outcome = Outcome(Result.unknown, code=UNWRITABLE)
                    try:
                        await self.commit({delivery: [(message, attempt)]}, (), ())
                    except Exception as error:
                        log.error("an outcome can't be written", id=str(message.id), error=error)
                        if attempt is bare:  # the claim expires, and its recovery decides
                            delivery.done(1)
                    else:
                        stored.setdefault(delivery, []).append((message, attempt))
                        break
        return stored


def _lock_order(entry: tuple[Delivery, Any]) -> tuple[bool, UUID]:
    """Sorts projects' batches by their ids, and puts direct messages last: their refunds lock accounts."""
    delivery = entry[0]
    return delivery.group is None, delivery.claim.row_id


async def _store_entries(db: asyncpg.Connection, delivery: Delivery, entries: Sequence[WithVerdict]) -> None:
    claim = delivery.claim
    again = [message for message, verdict in entries if verdict.another_route]
    if done := [entry for entry in entries if not entry[1].another_route]:
        await claim.record_outcomes(db, done)
    if again:
        await claim.withdraw_intents(db, again)
