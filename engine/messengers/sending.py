"""Sends messages through an account, each exactly once, whatever fails in between.

The row is committed before the account is called (`pending`, `asked_at`). Its id, the `item`, is what drivers derive
the messenger's own key from. Then the result is stored:

- accepted: `server`, with the messenger's id and thread
- refused for good (`Unprocessable`): `errored`; the same key returns the same error
- surely not sent, but a later attempt may work (too fast, no connection): with a key `errored`, and the same key tries
again under the same item; without a key the row is deleted, as it is where the account does not work
- result unknown: it stays `pending` with the code `uncertain`. The same key tries again if the driver recognizes the
item (`IDEMPOTENT_DRIVERS`), and else returns `uncertain`. An echo, or history, that shows the message settles it; what
is unsettled after `UNKNOWN_AFTER` becomes `errored`, `unknown`. Even then an echo settles it.
"""

import asyncio
import hashlib
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    Unprocessable,
    UpstreamTimeout,
)
from core.ids import uuid7
from core.storable_text import storable
from engine.jobs import every
from engine.messengers import call_client, media
from engine.messengers.media import BUDGET, Reservation, Source
from engine.messengers.message_updates import MESSAGE_COLUMNS
from engine.messengers.send_results import (
    NOT_DONE,
    Sent,
    refused,
    sent_of,
    store,
    store_accepted,
    store_failure,
    store_not_done,
    uncertain,
)
from engine.messengers.states import visible_state, wrong_state
from runtime.database_errors import translate
from runtime.services import Services
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState, MessengerDriver

log = structlog.get_logger("postern.messengers")

IDEMPOTENT_DRIVERS = frozenset({MessengerDriver.sandbox, MessengerDriver.telegram})
"""The drivers that are `idempotent`. They are named here, so that API processes need not import them."""

ASK_SECONDS = 30.0
ASK_SECONDS_MEDIA = 90.0
_STALE = timedelta(seconds=ASK_SECONDS_MEDIA + 30)  # a caller this old has died
UNKNOWN_AFTER = timedelta(minutes=10)
_BATCH = 50  # messages per round
_SEARCHED = 50  # messages of a chat's history that are searched

# Each branch has its own index: an account may have a hundred thousand chats, and this runs for each message.
_CHAT = """
SELECT id, thread FROM (
  SELECT id, thread, 0 AS rank, last_at FROM messenger_chats WHERE account_id = $1 AND thread = $2
  UNION ALL
  SELECT id, thread, 1, last_at FROM messenger_chats WHERE account_id = $1 AND phone = $2
  UNION ALL
  SELECT id, thread, 1, last_at FROM messenger_chats
  WHERE account_id = $1 AND lower(username) = lower(substr($2, 2)) AND kind = 'user' AND $2 LIKE '@%'
) AS c ORDER BY rank, last_at DESC NULLS LAST LIMIT 1
"""
_REPLY = "SELECT thread, provider_id FROM messenger_messages WHERE id = $1 AND account_id = $2"
_BY_KEY = (
    f"SELECT {MESSAGE_COLUMNS}, m.request_hash, m.asked_at"  # noqa: S608  our own columns
    " FROM messenger_messages AS m WHERE m.account_id = $1 AND m.key = $2"
)
_BEGIN = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, key, request_hash, record_id, outgoing, sender,
  recipient,
                                text, content, reply_to, at, asked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $10, $11::text::jsonb, $12, now(), now())
ON CONFLICT (account_id, key) WHERE key IS NOT NULL DO NOTHING RETURNING id
"""
# Of concurrent retries only one gets the row.
_AGAIN = """
UPDATE messenger_messages SET asked_at = now(), status = 'pending', failure_code = NULL, failure_reason = NULL
WHERE id = $1 AND provider_id IS NULL AND (
  asked_at < now() - $2::interval OR failure_code IN ('uncertain', 'unknown', 'messenger_unavailable', 'flood_wait')
) RETURNING id
"""
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
    *,
    to: str,
    requested_to: str | None = None,
    text: str = "",
    media: Sequence[Source] = (),
    reply_to: UUID | None = None,
    key: str | None = None,
    record_id: UUID | None = None,
    template: Mapping[str, Any] | None = None,
) -> Sent:
    """Sends a message through an account. Call it outside any transaction.

    `account`: a row of messenger_accounts, and whether a process holds it (`held`). `to`: a phone (E.164), a
    `@username`, or a thread. `reply_to`: an item. `requested_to`: the recipient as the caller named it, where `to` was
    looked up from it; a key's request is recognized by it.

    `key`: requests with the same key and content are one message; keys of projects (`record_id`) and of callers are
    separate. Waits for a concurrent send under the same key.

    Raises what `call_client.ask` and `media.load` raise, BadRequest (`empty_message`, `reply_not_found`), Unprocessable
    (`idempotency_key_reused`, and what the messenger refuses), Conflict (`wrong_state`, `idempotency_in_flight`).
    `uncertain` (UpstreamTimeout) and refusals carry `details.item`.
    """
    if not (text.strip() or media or template):
        raise BadRequest("The message is empty. Send a text, or something in content.", code="empty_message")
    stored_key = None if key is None else f"{'r' if record_id else 'c'}:{key}"
    request = _SendRequest(
        to, requested_to or to, text, tuple(media), reply_to, template, BUDGET.reserve(account["owner_id"])
    )
    until = time.monotonic() + ASK_SECONDS_MEDIA
    with request.reservation:
        while True:
            row = await services.db.fetchrow(_BY_KEY, account["id"], stored_key) if stored_key else None
            if row is None:
                item = await _begin(services, account, request, stored_key, record_id)
                if item is not None:
                    return await _ask(
                        services, account, item, request, keep=key is not None and record_id is None
                    )
                continue
            sent = await _earlier_result(services, account, request, row)
            if sent is not None:
                return sent
            if time.monotonic() > until:
                raise Conflict(
                    "A message with this idempotency key is being sent. Repeat the request with the same key in a"
                    " moment.",
                    code="idempotency_in_flight",
                    details={"item": str(row["id"])},
                )
            await asyncio.sleep(random.uniform(0.05, 0.15))


def _check_working(account: Any) -> None:
    """Raises Conflict `wrong_state` if the account can't send."""
    # a wanted account without a holder is about to start
    leased = account["held"] and account["state"] != AccountState.stopped
    state = visible_state(account["state"], wanted=account["wanted"], leased=leased)
    if state is not AccountState.working:
        raise wrong_state(state)


class _SendRequest:
    """A request to send, and the values computed from it."""

    def __init__(
        self,
        to: str,
        requested_to: str,
        text: str,
        sources: tuple[Source, ...],
        reply_to: UUID | None,
        template: Mapping[str, Any] | None,
        reservation: Reservation,
    ) -> None:
        self.to, self.text, self.sources = to, storable(text) or "", sources
        self.reply_to, self.template = reply_to, template
        content = [requested_to, text, [source.fingerprint for source in sources], str(reply_to), template]
        self.hash = hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
        self.reservation = reservation
        self.loaded: list[media.Loaded] | None = None
        self.quoted_id: str | None = None  # the messenger's id of the quoted message

    async def load(self, services: Services, account: Any) -> None:
        """Loads the files. Every refusal happens here, before anything is stored."""
        if self.loaded is not None:
            return
        _check_working(account)  # checked first, to fetch nothing that can't be sent
        if self.reply_to is not None:
            row = await services.db.fetchrow(_REPLY, self.reply_to, account["id"])
            if row is None or row["provider_id"] is None:
                raise BadRequest(
                    "replyTo must be the item of a message of this account that the messenger has received. Check"
                    " the item.",
                    code="reply_not_found",
                )
            self.quoted_id = row["provider_id"]
        self.loaded = await media.load(services, account["owner_id"], self.sources, self.reservation)

    def arguments(self, item: UUID) -> dict[str, Any]:
        """Returns the arguments of the `send` call, once: the loaded bytes are released, since they go on as base64."""
        loaded, self.loaded = self.loaded or [], None
        return {
            "item": str(item),
            "to": self.to,
            "text": self.text,
            "media": [file.as_argument() for file in loaded],
            "reply_to": self.quoted_id,
            "template": self.template,
        }


async def _begin(
    services: Services, account: Any, request: _SendRequest, key: str | None, record_id: UUID | None
) -> UUID | None:
    """Commits the row. Returns its id, or None if another request has the key."""
    await request.load(services, account)
    chat = await services.db.fetchrow(_CHAT, account["id"], request.to)
    item: UUID | None = await services.db.fetchval(
        _BEGIN,
        uuid7(),
        account["id"],
        chat and chat["id"],
        chat and chat["thread"],
        key,
        request.hash,
        record_id,
        account["connected_phone"],
        request.to,
        request.text,
        orjson.dumps([file.as_content() for file in request.loaded or ()]).decode(),
        request.quoted_id,
    )
    return item


async def _earlier_result(services: Services, account: Any, request: _SendRequest, row: Any) -> Sent | None:
    """Returns the result of an earlier request with the key. None: it is being sent now."""
    if row["request_hash"] != request.hash:
        raise Unprocessable(
            "This idempotency key was used for another message. Use a new key for a new message.",
            details={"item": str(row["id"])},
        )
    if row["provider_id"] is not None and row["status"] != ChatMessageStatus.errored:
        return sent_of(row, again=True)
    code = row["failure_code"]
    if row["status"] == ChatMessageStatus.errored and code != "unknown" and code not in NOT_DONE:
        raise refused(row)
    if code is None and not await _stale(services, row["id"]):
        return None
    unclear = code not in NOT_DONE
    if unclear and account["driver"] not in IDEMPOTENT_DRIVERS:
        raise uncertain(row["id"])
    await request.load(services, account)
    if await services.db.fetchval(_AGAIN, row["id"], _STALE) is None:
        return None
    return await _ask(services, account, row["id"], request, keep=True, unclear=unclear)


async def _stale(services: Services, item: UUID) -> bool:
    """Returns whether the caller of the earlier request has died."""
    return bool(
        await services.db.fetchval(
            "SELECT asked_at < now() - $2::interval FROM messenger_messages WHERE id = $1", item, _STALE
        )
    )


async def _ask(
    services: Services, account: Any, item: UUID, request: _SendRequest, *, keep: bool, unclear: bool = False
) -> Sent:
    """Calls the account and stores the result.

    `keep`: the same request may come again (a project's may have other content by then). `unclear`: the result of
    an earlier attempt is unknown.
    """
    seconds = ASK_SECONDS_MEDIA if request.loaded else ASK_SECONDS
    try:
        answer = await call_client.ask(
            services, account["id"], "send", request.arguments(item), seconds=seconds
        )
    except Unprocessable as error:
        row = await store_failure(services, account["id"], item, error.code, error.message)
        raise refused(
            row or {"id": item, "failure_code": error.code, "failure_reason": error.message}
        ) from error
    except AppError as error:
        await store_not_done(services, item, error, keep=keep, unclear=unclear)
        if isinstance(error, UpstreamTimeout):
            raise uncertain(item, error) from error
        raise
    try:
        return await store(lambda: store_accepted(services, account["id"], item, request.to, answer))
    except Exception as error:
        if translate(error) is None:
            raise
        raise uncertain(item) from error  # the messenger has accepted it; the echo will settle the row


@every(60)
async def finish_unanswered(services: Services) -> None:
    """Settles messages whose sender died or whose result is unknown: the chat's history may show them."""
    unanswered = await services.db.fetch(_UNANSWERED, _STALE + timedelta(minutes=1), UNKNOWN_AFTER, _BATCH)
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
