"""Area C (contract §4): chats. Sending is `engine/messengers/sending.py`'s; history is ours, filled by the messenger."""

import base64
import binascii
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import unquote_to_bytes
from uuid import UUID

from db import models
from db.query import Listing, p
from db.session import Database
from engine import files
from engine.messengers import bodies, calls, sending
from engine.messengers.media import Source
from postern import links
from postern.errors import AppError, BadRequest, Forbidden, NotFound, Unprocessable
from postern.limits import Limit
from postern.operation import Op, operation
from postern.permissions import Permission, allowed
from postern.services import Services
from resolvers.messenger_accounts import Key, mine
from resolvers.recipients import phone
from schema.types.chats import (
    DEFAULT_LIMIT,
    ChatMessage,
    ChatMessageStatus,
    ChatUser,
    ContentKind,
    ContentShown,
    NewChatMessage,
    ReactionShown,
    SendResult,
    SentMessage,
)
from schema.types.messenger_accounts import AccountState
from schema.types.page import Rows

_HISTORY_SECONDS = 15.0
_FETCH_SECONDS = 90.0

_SHOWN = """
m.id, m.account_id, m.thread, m.sender, m.recipient, m.name, m.text, m.outgoing, m.content, m.reactions, m.status,
m.failure_code, m.failure_reason, m.at, m.edited_at, m.provider_id, a.source, a.login, a.connected_phone,
(SELECT r.id FROM messenger_messages AS r
 WHERE r.account_id = m.account_id AND r.thread = m.thread AND r.provider_id = m.reply_to) AS replied
"""
_PAGE = f"""
SELECT {_SHOWN} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
WHERE m.chat_id = $1 AND ($2::uuid IS NULL OR (m.at, m.seq) < (
  SELECT b.at, b.seq FROM messenger_messages AS b WHERE b.id = $2
))
ORDER BY m.at DESC, m.seq DESC LIMIT $3
"""  # noqa: S608  our own columns
_LATEST = f"""
SELECT newest.* FROM unnest($1::uuid[]) AS c (id) CROSS JOIN LATERAL (
  SELECT c.id AS chat_id, {_SHOWN} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
  WHERE m.chat_id = c.id ORDER BY m.at DESC, m.seq DESC LIMIT $2
) AS newest
"""  # noqa: S608  our own columns
_ONE = f"""
SELECT {_SHOWN} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
WHERE m.id = $1 AND a.deleted_at IS NULL
"""  # noqa: S608  our own columns
_IN_CHAT = "SELECT chat_id FROM messenger_messages WHERE id = $1 AND account_id = $2"
_CHAT_OF = """
SELECT id, thread, whole FROM messenger_chats
WHERE account_id = $1 AND (thread = $2 OR phone = $2 OR (kind = 'user' AND lower(username) = lower($3)))
ORDER BY thread = $2 DESC, last_at DESC NULLS LAST LIMIT 1
"""
_BY_THREAD = "SELECT id, thread, whole FROM messenger_chats WHERE account_id = $1 AND thread = $2"
_WHOLE = "UPDATE messenger_chats SET whole = true WHERE id = $1"
_OLDEST = """
SELECT provider_id FROM messenger_messages WHERE chat_id = $1 AND provider_id IS NOT NULL ORDER BY at, seq LIMIT 1
"""
_MEDIA = """
SELECT m.account_id, m.thread, m.provider_id, m.content -> $2::int AS content, a.owner_id,
  u.status = 'active' AS active
FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id JOIN users AS u ON u.id = a.owner_id
WHERE m.id = $1 AND a.deleted_at IS NULL
"""

_JID = re.compile(r"(\d{5,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)")
_NUMBER = re.compile(r"\+?[0-9][0-9 ().-]{3,30}")
_USERNAME = re.compile(r"@[A-Za-z0-9_.]{3,64}")
_DATA = re.compile(r"data:([^;,]*)(;base64)?,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opened:
    """The content of a message."""

    data: bytes
    mime: str
    name: str


@dataclass(frozen=True, slots=True)
class Written:
    """What sendMessage answers: `results` in the vendor's shape, and the message."""

    results: list[SendResult]
    message: ChatMessage


@cache
def _listing() -> Listing[models.Chat]:
    row = models.Chat
    # As ix_messenger_chats_recent has them, backwards. A chat has its time from its first message on.
    return Listing(
        row, row.account_id == p("account_id"), row.last_at.is_not(None), order=lambda row: row.last_at.desc()
    )


@operation(Permission.messengers_send, "outside")
async def send(op: Op, key: Key, input: NewChatMessage) -> Written:
    """Once for each idempotency key (the body's, else the header's); it has been taken when this answers.

    Raises NotFound, RateLimited, BadRequest (`invalid_recipient`, `empty_message`, `bad_media`, …), TooLarge, and what
    `sending.send` raises.
    """
    account = await mine(op, key)
    to = await address(op.services.db, account, input.to)
    limit = Limit.parse("messenger", op.services.settings.limit_messenger_messages)
    await op.services.limiter.enforce(limit, str(account.id), "messages of this account")
    sent = await sending.send(
        op.services,
        account,
        to=to,
        asked=_digits(input.to) or input.to,
        text=input.text,
        media=[Source(one.type, one.src, one.filename) for one in input.content],
        reply_to=input.reply_to,
        key=input.idempotency_key or op.ctx.idempotency_key,
    )
    if sent.again:
        op.ctx.answer_header("idempotent-replayed", "true")
    result = SentMessage(item=sent.item, thread=sent.thread, timestamp=int(sent.at.timestamp()))
    row = await op.db.fetchrow(_ONE, sent.item)
    if row is None:
        raise _gone()
    return Written([SendResult(result=result)], _shown(op.services, row))


@operation(Permission.messengers_read, "read")
async def list(op: Op, key: Key, page: int = 1, limit: int = 20) -> Rows[models.Chat]:
    """An account's chats, the last written first. Raises NotFound."""
    account = await mine(op, key)
    return await _listing().page(op.db, page, limit, account_id=account.id)


@operation(Permission.messengers_read, "outside")
async def messages(
    op: Op,
    key: Key,
    to: str | None = None,
    thread: str | None = None,
    limit: int = DEFAULT_LIMIT,
    before: UUID | None = None,
) -> Sequence[ChatMessage]:
    """The newest of a chat (older than `before`), the oldest of them first.

    Where we have fewer the messenger is asked, if the account works and was not asked too often. A chat that nobody
    knows is empty.
    Raises NotFound (account, `before`), BadRequest.
    """
    account = await mine(op, key)
    if not 1 <= limit <= 100:
        raise BadRequest("limit must be from 1 to 100.", code="validation_failed")
    if not (to or thread):
        raise BadRequest("Name the chat: `to` (a phone or @username), or `thread`.", code="validation_failed")
    chat = await _chat(op, account, to, thread)
    if before is not None:
        await _check_before(op, account, before)
    found = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    if len(found) < limit and account.state == AccountState.working and not (chat and chat.whole):
        chat = await _fill(op, account, chat, to or thread or "", limit)
        found = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    return [_shown(op.services, row) for row in reversed(found)]


@operation(Permission.messengers_read, "read")
async def message(op: Op, key: Key | None, item: UUID) -> ChatMessage:
    """By its item, of that account or (`key` None) of any of the caller's. Raises NotFound."""
    account = None if key is None else await mine(op, key)
    row = await op.db.fetchrow(_ONE, item)
    if row is None or (account is not None and row.account_id != account.id):
        raise _gone()
    if account is None:
        await _own(op, row.account_id)
    return _shown(op.services, row)


@operation(Permission.messengers_read, "outside")
async def user(op: Op, key: Key, to: str) -> ChatUser:
    """Whom the messenger knows by this; `exists` is false where it is nobody.

    Raises NotFound, BadRequest, RateLimited, Conflict.
    """
    account = await mine(op, key)
    whom = await address(op.services.db, account, to)
    await _look_up(op, account)
    found = await calls.ask(op.services, account.id, "person", {"to": whom})
    return _person(found) if found else _nobody(whom)


@operation(Permission.public, "outside")
async def media(
    op: Op, item: UUID, index: int, expires: int | None = None, signature: str | None = None
) -> Opened:
    """The content of a message, for a signed link or for the account's owner.

    Raises Forbidden for a link that is old or not ours, Unauthenticated, NotFound, and what the messenger says.
    """
    viewer = None
    if signature is None:
        viewer = await op.ctx.viewer()
        if not allowed(viewer.roles, Permission.messengers_read):
            raise Forbidden(f"This needs the permission {Permission.messengers_read.value}.")
    elif not links.opens_media(op.services, item, index, expires or 0, signature):
        raise Forbidden("This link is over, or not one of ours. Ask for a new one.", code="bad_link")
    row = await op.db.fetchrow(_MEDIA, item, index)
    if row is None or row.content is None:
        raise _no_media()
    if not (row.active if viewer is None else viewer.admin or row.owner_id == viewer.id):
        raise _no_media()
    told = row.content.get("told") or ""
    mime, name = row.content.get("mime"), row.content.get("name")
    if told.startswith("data:"):
        data, declared = _inline(told)
        return Opened(data, files.safe_mime(mime or declared, name or ""), files.safe_name(name or "file"))
    if row.provider_id is None:
        raise _no_media()
    try:
        found = await calls.ask(
            op.services,
            row.account_id,
            "fetch",
            {"thread": row.thread, "provider_id": row.provider_id, "index": index},
            seconds=_FETCH_SECONDS,
        )
    except Unprocessable as error:
        raise _no_media() from error
    name = files.safe_name(found.get("name") or name or "file")
    return Opened(base64.b64decode(found["data"]), files.safe_mime(found.get("mime") or mime, name), name)


async def latest(services: Services, chats: Sequence[UUID], limit: int) -> dict[UUID, Sequence[ChatMessage]]:
    """The newest of each chat, the oldest of them first. Whoever calls it has checked that the caller may see them."""
    found: dict[UUID, Any] = {id: [] for id in chats}
    for row in await services.db.fetch(_LATEST, chats, limit):
        found[row.chat_id].insert(0, _shown(services, row))
    return found


async def address(db: Database, account: Any, to: str) -> str:
    """A thread of the account that is known, else a phone in E.164 or a @username. Raises BadRequest."""
    if not to.startswith("+") and await db.fetchrow(_BY_THREAD, account.id, to):
        return to
    if _USERNAME.fullmatch(to):
        return to
    if (digits := _digits(to)) is not None:
        return phone(f"+{digits}", "US")
    raise BadRequest(
        "to must be a phone with its country's digits (like +14155550101), a @username, or a thread of this account.",
        code="invalid_recipient",
    )


def _digits(to: str) -> str | None:
    """Of a phone, in any of its spellings; WhatsApp's own is one. None: it looks like none."""
    if jid := _JID.fullmatch(to):
        return jid[1]
    return re.sub(r"\D", "", to).removeprefix("00") if _NUMBER.fullmatch(to) else None


async def _chat(op: Op, account: Any, to: str | None, thread: str | None) -> Any:
    if thread is not None:
        return await op.db.fetchrow(_BY_THREAD, account.id, thread)
    whom = await address(op.db, account, to or "")
    return await op.db.fetchrow(_CHAT_OF, account.id, whom, whom.removeprefix("@"))


async def _fill(op: Op, account: Any, chat: Any, named: str, limit: int) -> Any:
    """Asks the messenger for what is older than what we have. It may be away, or was asked too often: then what we have
    must do.
    """
    with suppress(AppError):
        await _look_up(op, account)
        if chat is None:
            whom = await address(op.db, account, named)
            person = await calls.ask(
                op.services, account.id, "person", {"to": whom}, seconds=_HISTORY_SECONDS
            )
            thread, oldest = (person or {}).get("id"), None
        else:
            thread, oldest = chat.thread, await op.db.fetchval(_OLDEST, chat.id)
        if thread:
            asked = {"thread": thread, "limit": limit, "before": oldest}
            told = await calls.ask(op.services, account.id, "history", asked, seconds=_HISTORY_SECONDS)
            chat = chat or await op.db.fetchrow(_BY_THREAD, account.id, thread)
            if chat is not None and len(told) < limit:
                await op.db.fetch(_WHOLE, chat.id)
    return chat


async def _look_up(op: Op, account: Any) -> None:
    """Before the messenger is asked: it bans accounts that ask without end. Raises RateLimited."""
    limit = Limit.parse("messenger_lookups", op.services.settings.limit_messenger_lookups)
    await op.services.limiter.enforce(limit, str(account.id), "lookups by this account")


async def _check_before(op: Op, account: Any, before: UUID) -> None:
    if await op.db.fetchval(_IN_CHAT, before, account.id) is None:
        raise NotFound("before is no item of this account's chats.", code="message_not_found")


async def _own(op: Op, account_id: UUID) -> None:
    """An account of somebody else's has no messages either."""
    try:
        await mine(op, account_id)
    except NotFound:
        raise _gone() from None


def _shown(services: Services, row: Any) -> ChatMessage:
    sender, recipient = bodies.ends(row, row)
    return ChatMessage.model_construct(
        id=row.id,
        account_id=row.account_id,
        thread=row.thread,
        sender=sender,
        recipient=recipient,
        name=row["name"],
        time=int(row.at.timestamp()),
        at=row.at,
        text=row.text,
        outgoing=row.outgoing,
        reply_to=row.replied,
        content=[
            ContentShown.model_construct(**{**one, "type": ContentKind(one["type"])})
            for one in bodies.content(services, row.id, row.content)
        ],
        reactions=_reactions(row.reactions),
        status=ChatMessageStatus(row.status),
        edited_at=row.edited_at,
        failure_code=row.failure_code,
        failure_reason=row.failure_reason,
    )


def _reactions(kept: Any) -> Any:
    return [
        ReactionShown.model_construct(sender=sender, emoji=one["emoji"], at=datetime.fromisoformat(one["at"]))
        for sender, one in kept.items()
        if one["emoji"]
    ]


def _person(found: Any) -> ChatUser:
    name = " ".join(part for part in (found.get("first_name"), found.get("last_name")) if part)
    return ChatUser(
        id=found["id"],
        phone=found.get("phone"),
        username=found.get("username"),
        name=name or None,
        avatar=found.get("avatar"),
        exists=found.get("exists", True),
        last_seen=found.get("last_seen"),
    )


def _nobody(to: str) -> ChatUser:
    return ChatUser(
        id=None,
        phone=to if to.startswith("+") else None,
        username=to[1:] if to.startswith("@") else None,
        name=None,
        avatar=None,
        exists=False,
    )


def _inline(told: str) -> tuple[bytes, str]:
    head = _DATA.match(told)
    if head is None:
        raise _no_media()
    said = told[head.end() :]
    try:
        return (base64.b64decode(said) if head[2] else unquote_to_bytes(said)), head[1]
    except (binascii.Error, ValueError):
        raise _no_media() from None


def _gone() -> NotFound:
    return NotFound("There is no such message in the chats of this account.", code="message_not_found")


def _no_media() -> NotFound:
    return NotFound("There is nothing like that in this message.", code="media_not_found")
