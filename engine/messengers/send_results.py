"""Stores the result of a message that was sent: accepted, refused, or not known."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from core import pubsub
from core.errors import (
    AppError,
    Unprocessable,
    UpstreamTimeout,
)
from core.storable_text import storable
from engine.messengers import event_writer, message_parts, transaction
from engine.messengers.message_updates import MESSAGE_COLUMNS
from engine.messengers.transaction import ChatTransaction
from runtime.retry import until_done
from runtime.services import Services
from shapes.chats import ChatMessageStatus

T = TypeVar("T")

NOT_DONE = frozenset({"messenger_unavailable", "flood_wait"})
"""Codes of `errored` after which the same key tries again: the messenger surely has not received the message."""

_RETRY_SECONDS = 60.0  # seconds
_BY_ID = (
    f"SELECT {MESSAGE_COLUMNS}, m.request_hash, m.asked_at"  # noqa: S608  our own columns
    " FROM messenger_messages AS m WHERE m.id = $1"
)
_FORGET = "DELETE FROM messenger_messages WHERE id = $1 AND provider_id IS NULL"
_UNCERTAIN = """
UPDATE messenger_messages SET failure_code = 'uncertain', failure_reason = $2
WHERE id = $1 AND provider_id IS NULL AND status = 'pending'
"""
_ERRORED = f"""
UPDATE messenger_messages AS m SET status = 'errored', failure_code = $2, failure_reason = $3
WHERE m.id = $1 AND m.provider_id IS NULL AND m.status = 'pending' RETURNING {MESSAGE_COLUMNS}
"""  # noqa: S608  our own columns
_NOT_DONE = """
UPDATE messenger_messages SET status = 'errored', failure_code = $2, failure_reason = $3
WHERE id = $1 AND provider_id IS NULL AND status = 'pending'
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that the messenger accepted. `again`: it was accepted before, under the same key."""

    item: UUID
    thread: str
    at: datetime
    status: ChatMessageStatus
    provider_id: str
    again: bool = False


async def store_uncertain(services: Services, item: UUID, error: AppError) -> None:
    """Stores that the messenger may have the message."""
    await store(lambda: services.db.fetch(_UNCERTAIN, item, error.message))


async def store_not_done(services: Services, item: UUID, error: AppError) -> None:
    """Stores that the messenger surely has not received the message, and that its key may try again."""
    code = error.code if error.code in NOT_DONE else "messenger_unavailable"
    await store(lambda: services.db.fetch(_NOT_DONE, item, code, error.message))


async def forget(services: Services, item: UUID) -> None:
    """Removes a message that the messenger surely has not received."""
    await store(lambda: services.db.fetch(_FORGET, item))


async def store_accepted(
    services: Services, account_id: UUID, item: UUID, to: str, answer: Mapping[str, Any]
) -> Sent:
    """Stores that the messenger accepted the message. An echo may have done so before."""
    at, status = datetime.fromisoformat(answer["at"]), ChatMessageStatus(answer["status"])
    async with services.db.reading() as db:
        async with db.transaction():
            tx = await transaction.begin(services, db, account_id)
            changes: list[Mapping[str, Any]] = []
            if tx is not None:
                await event_writer.attach(tx, item, answer["thread"], answer["provider_id"], status, at, to)
                await message_parts.keep_parts(
                    tx, item, answer["thread"], answer["provider_id"], answer.get("parts", ())
                )
                changes = await tx.end()
        row = await db.fetchrow(_BY_ID, item)
    await _publish(services, tx, changes)
    if (
        row is None or row["provider_id"] is None
    ):  # the account is being deleted, or the id is too long for the index
        return Sent(item, answer["thread"], at, status, answer["provider_id"])
    return sent_of(row)


async def store_failure(services: Services, account_id: UUID, item: UUID, code: str, reason: str) -> Any:
    """Stores and publishes the failure. Returns None if the row was not pending any more."""

    async def work() -> Any:
        async with services.db.transaction() as db:
            if (tx := await transaction.begin(services, db, account_id)) is None:
                return None, None, []
            row = await db.fetchrow(_ERRORED, item, code, storable(reason))
            if row is not None:
                tx.status(0, row, row["kind"] or "user", None)
            return tx, row, await tx.end()

    tx, row, changes = await store(work)
    await _publish(services, tx, changes)
    return row


async def _publish(
    services: Services, tx: ChatTransaction | None, changes: Sequence[Mapping[str, Any]]
) -> None:
    for change in changes:
        assert tx is not None
        await pubsub.publish_account(services.store, tx.id, tx.account["owner_id"], change)


async def store(work: Callable[[], Awaitable[T]]) -> T:
    """Runs `work` again through lost deadlocks and outages of up to a minute: the messenger's answer must be stored."""
    return await until_done(work, seconds=_RETRY_SECONDS)


def sent_of(row: Any, *, again: bool = False) -> Sent:
    status = ChatMessageStatus(row["status"])
    return Sent(row["id"], row["thread"], row["at"], status, row["provider_id"], again)


def refused(row: Mapping[str, Any]) -> AppError:
    return Unprocessable(
        row["failure_reason"] or "The messenger refused this message and gave no reason.",
        code=row["failure_code"] or "refused",
        details={"item": str(row["id"])},
    )


def uncertain(item: UUID, error: AppError | None = None) -> AppError:
    reason = (
        "The messenger did not answer, so it is unknown whether this message was sent. Look for the"
        " item in the chat, or repeat the request with the same idempotency key."
    )
    return UpstreamTimeout(error.message if error else reason, code="uncertain", details={"item": str(item)})
