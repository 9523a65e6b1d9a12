"""Sends messages through an account, each exactly once, whatever fails in between.

The row is committed before the account is called (`pending`, `asked_at`). Drivers derive the messenger's own key from
its id, the `item`. Then the result is stored:

- accepted: `server`, with the messenger's id and thread
- refused for good (`Unprocessable`): `errored`; the same key returns the same error
- surely not sent, but a later attempt may work (too fast, no connection): with a key `errored`, and the same key tries
again under the same item; without a key the row is deleted, as it is where the account does not work
- result unknown: it stays `pending` with the code `uncertain`. The same key tries again if the driver recognizes the
item (`IDEMPOTENT_DRIVERS`), and else returns `uncertain`. An echo, or history, that shows the message settles it; what
is unsettled after `UNKNOWN_AFTER` becomes `errored`, `unknown`. Even then an echo settles it.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    Unprocessable,
)
from core.ids import uuid7
from engine.jobs import every
from engine.messengers import call_client
from engine.messengers.attempts import (
    ASK_SECONDS_MEDIA,
    STALE,
    WITH_KEY,
    WITHOUT_KEY,
    FirstAttempt,
    NewMessage,
    NextAttempt,
    Request,
)
from engine.messengers.media import BUDGET
from engine.messengers.message_updates import MESSAGE_COLUMNS
from engine.messengers.send_results import (
    NOT_DONE,
    Sent,
    refused,
    sent_of,
    store_failure,
    uncertain,
)
from engine.sending.once import send_once
from runtime.services import Services
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState, MessengerDriver

log = structlog.get_logger("postern.messengers")

IDEMPOTENT_DRIVERS = frozenset({MessengerDriver.sandbox, MessengerDriver.telegram})
"""The drivers that are `idempotent`. They are named here, so that API processes need not import them."""

UNKNOWN_AFTER = timedelta(minutes=10)
_BATCH = 50  # messages per round
_SEARCHED = 50  # messages of a chat's history that are searched

_BY_KEY = (
    f"SELECT {MESSAGE_COLUMNS}, m.request_hash, m.asked_at"  # noqa: S608  our own columns
    " FROM messenger_messages AS m WHERE m.account_id = $1 AND m.key = $2"
)
_UNANSWERED = """
SELECT m.id, m.account_id, m.thread, m.asked_at < now() - $2::interval AS over, a.state
FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
WHERE m.outgoing AND m.status = 'pending' AND m.provider_id IS NULL AND m.created_at < now() - $1::interval
  AND m.asked_at < now() - $1::interval
ORDER BY m.created_at LIMIT $3
"""


async def send(
    services: Services,
    account: Any,
    message: NewMessage,
    *,
    key: str | None = None,
    record_id: UUID | None = None,
    admit: Callable[[Any], Awaitable[None]] | None = None,
) -> Sent:
    """Sends a message through an account. Call it outside any transaction.

    `account`: a row of messenger_accounts, and whether a process holds it (`held`).

    `key`: requests with the same key and content are one message; keys of projects (`record_id`) and of callers are
    separate. Waits for a concurrent send under the same key. `admit`: see `Request`.

    Raises what `call_client.ask` and `media.load` raise, BadRequest (`empty_message`, `reply_not_found`,
    `recipient_blocked`: a person who is being erased), Unprocessable
    (`idempotency_key_reused`, and what the messenger refuses), Conflict (`wrong_state`, `idempotency_in_flight`).
    `uncertain` (UpstreamTimeout) and refusals carry `details.item`.
    """
    if not (message.text.strip() or message.media or message.template):
        raise BadRequest("The message is empty. Send a text, or something in content.", code="empty_message")
    stored_key = None if key is None else f"{'r' if record_id else 'c'}:{key}"
    # A project's next message under the key may have other content, so its row is kept only if it may have been sent.
    policy = WITH_KEY if key is not None and record_id is None else WITHOUT_KEY
    until = time.monotonic() + ASK_SECONDS_MEDIA
    with BUDGET.reserve(account["owner_id"]) as reservation:
        request = Request(services, account, message, message.request_hash(), reservation, admit=admit)
        while True:
            row = await services.db.fetchrow(_BY_KEY, account["id"], stored_key) if stored_key else None
            if row is None:
                attempt: FirstAttempt | NextAttempt | None = FirstAttempt(
                    request, uuid7(), policy, stored_key, record_id
                )
            elif (sent := _earlier_result(row, request.hash)) is not None:
                return sent
            else:
                attempt = await _next_attempt(request, row)
            if attempt is not None:
                await request.load()
                if (sent := await send_once(attempt)) is not None:
                    return sent
            if row is None:
                continue  # another request has the key since
            if time.monotonic() > until:
                raise Conflict(
                    "A message with this idempotency key is being sent. Repeat the request with the same key in a"
                    " moment.",
                    code="idempotency_in_flight",
                    details={"item": str(row["id"])},
                )
            await asyncio.sleep(random.uniform(0.05, 0.15))


def _earlier_result(row: Any, request_hash: str) -> Sent | None:
    """Returns or raises the final result of the earlier request with the key; None if it has none."""
    if row["request_hash"] != request_hash:
        raise Unprocessable(
            "This idempotency key was used for another message. Use a new key for a new message.",
            details={"item": str(row["id"])},
        )
    if row["provider_id"] is not None and row["status"] != ChatMessageStatus.errored:
        return sent_of(row, again=True)
    code = row["failure_code"]
    if row["status"] == ChatMessageStatus.errored and code != "unknown" and code not in NOT_DONE:
        raise refused(row)
    return None


async def _next_attempt(request: Request, row: Any) -> NextAttempt | None:
    """Returns another attempt at a message without a final result. None: it is being sent now.

    Raises UpstreamTimeout `uncertain` if another attempt might send it twice.
    """
    if row["failure_code"] is None and not await _stale(request.services, row["id"]):
        return None
    unclear = row["failure_code"] not in NOT_DONE
    if unclear and request.account["driver"] not in IDEMPOTENT_DRIVERS:
        raise uncertain(row["id"])
    return NextAttempt(request, row["id"], uncertain=unclear)


async def _stale(services: Services, item: UUID) -> bool:
    """Returns whether the caller of the earlier request has died."""
    return bool(
        await services.db.fetchval(
            "SELECT asked_at < now() - $2::interval FROM messenger_messages WHERE id = $1", item, STALE
        )
    )


@every(60, due="EXISTS (SELECT FROM messenger_accounts)")
async def finish_unanswered(services: Services) -> None:
    """Settles messages whose sender died or whose result is unknown: the chat's history may show them."""
    unanswered = await services.db.fetch(_UNANSWERED, STALE + timedelta(minutes=1), UNKNOWN_AFTER, _BATCH)
    searched: set[tuple[UUID, str]] = set()
    for row in unanswered:
        chat = row["account_id"], row["thread"]
        if row["state"] == AccountState.working and row["thread"] and chat not in searched:
            searched.add(chat)
            with suppress(AppError):  # the account is unreachable; the next round tries again
                arguments = {"thread": row["thread"], "limit": _SEARCHED, "before": None}
                await call_client.ask(services, row["account_id"], "history", arguments, seconds=15)
        if row["over"]:
            await store_failure(
                services,
                row["account_id"],
                row["id"],
                "unknown",
                "The messenger did not answer, and the chat does not show the message.",
            )
