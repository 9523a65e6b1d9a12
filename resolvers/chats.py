"""Chats of messenger accounts (contract §4, area C). `engine/messengers/sending.py` sends; history is read from our
database, and missing parts of it are fetched from the messenger.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import unquote_to_bytes
from uuid import UUID

from sqlalchemy import inspect, or_, select
from sqlalchemy.orm import aliased

from core.errors import AppError, BadRequest, Forbidden, NotFound, Unprocessable
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from db.session import Database
from engine import files
from engine.messengers import call_client, sending
from engine.messengers.media import Source
from resolvers.chat_shapes import COLUMNS, ChatMessageRow, as_chat_message
from resolvers.messenger_accounts import Key, mine
from resolvers.messenger_relations import of_seen
from resolvers.recipient_addresses import phone
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from runtime.services import Services
from shapes.chats import DEFAULT_LIMIT, ChatMessage, ChatUser, NewChatMessage, SendResult, SentMessage
from shapes.messenger_accounts import AccountState

_HISTORY_SECONDS = 15.0
_FETCH_SECONDS = 90.0

_PAGE = f"""
SELECT {COLUMNS} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
WHERE m.chat_id = $1 AND ($2::uuid IS NULL OR (m.at, m.seq) < (
  SELECT b.at, b.seq FROM messenger_messages AS b WHERE b.id = $2
))
ORDER BY m.at DESC, m.seq DESC LIMIT $3
"""  # noqa: S608  our own columns
_BY_ID = f"""
SELECT {COLUMNS} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id
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
    """The content of a file in a message."""

    data: bytes
    mime: str
    name: str


@dataclass(frozen=True, slots=True)
class Written:
    """What sendMessage returns: `results` in the vendor's shape, and the message."""

    results: list[SendResult]
    message: ChatMessage


_CHAT, _MESSAGE, _ACCOUNT = models.Chat, models.ChatMessage, models.MessengerAccount
_ANSWERED = aliased(_MESSAGE)
CHATS = Listing(
    _CHAT,
    orders={"last_at": _CHAT.last_at},
    always=(_CHAT.last_at.is_not(None),),  # last_at is set by a chat's first message
    filters={
        ("unread", "eq"): (_CHAT.unread > 0) == p("unread_eq_"),
        ("text", "contains"): or_(
            *(
                column.ilike(p("text_contains_"), escape="\\")
                for column in (_CHAT.name, _CHAT.phone, _CHAT.username)
            )
        ),
    },
)
MESSAGES = Listing(
    _MESSAGE,
    key=_MESSAGE.seq,
    orders={"at": _MESSAGE.at},
    extra=(
        *(
            select(column).where(_ACCOUNT.id == _MESSAGE.account_id).scalar_subquery().label(column.key)
            for column in (_ACCOUNT.source, _ACCOUNT.login, _ACCOUNT.connected_phone)
        ),
        select(_ANSWERED.id)
        .where(
            _ANSWERED.account_id == _MESSAGE.account_id,
            _ANSWERED.thread == _MESSAGE.thread,
            _ANSWERED.provider_id == _MESSAGE.reply_to,
        )
        .scalar_subquery()
        .label("replied"),
    ),
    without=("key", "request_hash", "asked_at", "created_at"),
)
_LIGHT = frozenset(
    {column.key for column in inspect(_MESSAGE).column_attrs} - {"content", *MESSAGES.without}
) | {one.key for one in MESSAGES.extra}
IN_ACCOUNT = _CHAT.account_id == p("account_id")
_IN_CHAT_OF = _MESSAGE.chat_id == p("chat_id")


@operation(Permission.messengers_send, "outside")
async def send(op: Op, key: Key, input: NewChatMessage) -> Written:
    """Sends a message, once for each idempotency key (the body's, otherwise the header's). When it returns, the
    messenger has accepted the message.

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
        requested_to=_digits(input.to) or input.to,
        text=input.text,
        media=[Source(item.type, item.src, item.filename) for item in input.content],
        reply_to=input.reply_to,
        key=input.idempotency_key or op.ctx.idempotency_key,
    )
    if sent.again:
        op.ctx.answer_header("idempotent-replayed", "true")
    result = SentMessage(item=sent.item, thread=sent.thread, timestamp=int(sent.at.timestamp()))
    row = await op.db.fetchrow(_BY_ID, sent.item)
    if row is None:
        raise _gone()
    return Written([SendResult(result=result)], as_chat_message(op.services, row))


@operation(Permission.messengers_read, "read")
async def page(op: Op, key: Key, page_args: PageArgs, where: Conditions) -> CursorPage[models.Chat]:
    """Returns one page of an account's chats, the one with the newest message first. Raises NotFound."""
    account = await mine(op, key)
    return await CHATS.page(op.db, recent(page_args), where, IN_ACCOUNT, account_id=account.id)


@operation(Permission.messengers_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Chat]]:
    """Returns one page of chats for each account, the one with the newest message first."""
    scope = of_seen(_CHAT.account_id, op.viewer.admin)
    return await CHATS.pages(
        op.db, _CHAT.account_id, accounts, recent(page_args), where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Chat | None]:
    """Returns chats by id. An id that the caller may not see gives None."""
    seen = of_seen(_CHAT.account_id, op.viewer.admin)
    return await CHATS.by_ids(op.db, ids, column_names, *seen, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.Chat:
    """Returns one chat. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.messengers_read, "read")
async def of_chats(
    op: Op, chats: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[ChatMessageRow]]:
    """Returns one page of stored messages for each chat, newest first."""
    scope = of_seen(_MESSAGE.account_id, op.viewer.admin)
    pages = await MESSAGES.pages(
        op.db, _MESSAGE.chat_id, chats, _newest(page_args), where, *scope, owner_id=op.viewer.id
    )
    return [_as_chat_messages(op.services, page) for page in pages]


@operation(Permission.messengers_read, "outside")
async def written(
    op: Op, key: Key, to: str | None, thread: str | None, page_args: PageArgs, where: Conditions
) -> CursorPage[ChatMessageRow]:
    """Returns one page of a chat's messages, newest first. At the end of our history it asks the messenger for more.

    Raises NotFound, BadRequest.
    """
    account = await mine(op, key)
    chat = await _find_chat(op, account, to, thread)

    async def read() -> CursorPage[ChatMessageRow]:
        parameters = {"chat_id": chat and chat.id}
        return _as_chat_messages(
            op.services, await MESSAGES.page(op.db, _newest(page_args), where, _IN_CHAT_OF, **parameters)
        )

    page = await read()
    newest_first = not page_args.backwards and page_args.descending is not False
    if not where and newest_first and len(page.nodes) < page_args.limit and _older(account, chat):
        chat = await _fill(op, account, chat, to or thread or "", page_args.limit)
        page = await read()
    return page


@operation(Permission.messengers_read, "outside")
async def messages(
    op: Op,
    key: Key,
    to: str | None = None,
    thread: str | None = None,
    limit: int = DEFAULT_LIMIT,
    before: UUID | None = None,
) -> Sequence[ChatMessage]:
    """Returns the newest messages of a chat (older than `before`), in ascending order of time.

    If fewer than `limit` are stored, it asks the messenger, unless the account is not working or has asked too often.
    An unknown chat gives an empty list. Raises NotFound (account, `before`), BadRequest.
    """
    account = await mine(op, key)
    if not 1 <= limit <= 100:
        raise BadRequest("limit must be from 1 to 100.", code="validation_failed")
    chat = await _find_chat(op, account, to, thread)
    if before is not None:
        await _check_before(op, account, before)
    rows = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    if len(rows) < limit and _older(account, chat):
        chat = await _fill(op, account, chat, to or thread or "", limit)
        rows = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    return [as_chat_message(op.services, row) for row in reversed(rows)]


@operation(Permission.messengers_read, "read")
async def message(op: Op, key: Key | None, item: UUID) -> ChatMessage:
    """Returns the message with this item, of one account or (`key` None) of any of the caller's. Raises NotFound."""
    account = None if key is None else await mine(op, key)
    row = await op.db.fetchrow(_BY_ID, item)
    if row is None or (account is not None and row.account_id != account.id):
        raise _gone()
    if account is None:
        await _own(op, row.account_id)
    return as_chat_message(op.services, row)


@operation(Permission.messengers_read, "outside")
async def user(op: Op, key: Key, to: str) -> ChatUser:
    """Returns the person that the messenger finds for `to`; `exists` is false if it finds none.

    Raises NotFound, BadRequest, RateLimited, Conflict.
    """
    account = await mine(op, key)
    whom = await address(op.services.db, account, to)
    await _look_up(op, account)
    person = await call_client.ask(op.services, account.id, "person", {"to": whom})
    return _person(person) if person else _nobody(whom)


@operation(Permission.public, "outside")
async def media(
    op: Op, item: UUID, index: int, expires: int | None = None, signature: str | None = None
) -> Opened:
    """Returns the content of a file in a message, for a signed link or for the account's owner.

    Raises Forbidden for an expired or invalid link, Unauthenticated, NotFound, and what the messenger's driver raises.
    """
    viewer = None
    if signature is None:
        viewer = await op.ctx.viewer()
        if not allowed(viewer.roles, Permission.messengers_read):
            raise Forbidden(
                f"This request needs the permission {Permission.messengers_read.value}. Use a token that has"
                " it, or ask an administrator."
            )
    elif not links.opens_media(op.services, item, index, expires or 0, signature):
        raise Forbidden("This link has expired or is invalid. Ask for a new one.", code="bad_link")
    row = await op.db.fetchrow(_MEDIA, item, index)
    if row is None or row.content is None:
        raise _no_media()
    if not (row.active if viewer is None else viewer.admin or row.owner_id == viewer.id):
        raise _no_media()
    url = row.content.get("told") or ""
    mime, name = row.content.get("mime"), row.content.get("name")
    if url.startswith("data:"):
        data, declared = _inline(url)
        return Opened(data, files.safe_mime(mime or declared, name or ""), files.safe_name(name or "file"))
    if row.provider_id is None:
        raise _no_media()
    try:
        fetched = await call_client.ask(
            op.services,
            row.account_id,
            "fetch",
            {"thread": row.thread, "provider_id": row.provider_id, "index": index},
            seconds=_FETCH_SECONDS,
        )
    except Unprocessable as error:
        raise _no_media() from error
    name = files.safe_name(fetched.get("name") or name or "file")
    return Opened(base64.b64decode(fetched["data"]), files.safe_mime(fetched.get("mime") or mime, name), name)


async def visible(op: Op, id: UUID) -> models.Chat:
    """Returns a chat that the caller may see. Raises NotFound."""
    seen = of_seen(_CHAT.account_id, op.viewer.admin)
    (chat,) = await CHATS.by_ids(op.db, [id], None, *seen, owner_id=op.viewer.id)
    if chat is None:
        raise NotFound("There is no chat with this id among yours. Check the id.")
    return chat


async def address(db: Database, account: Any, to: str) -> str:
    """Returns a known thread of the account, a phone in E.164 or a @username. Raises BadRequest."""
    if not to.startswith("+") and await db.fetchrow(_BY_THREAD, account.id, to):
        return to
    if _USERNAME.fullmatch(to):
        return to
    if (digits := _digits(to)) is not None:
        return phone(f"+{digits}", "US")
    raise BadRequest(
        "to must be a phone number with its country code (like +14155550101), a @username, or a"
        " thread of this account.",
        code="invalid_recipient",
    )


def _digits(to: str) -> str | None:
    """Returns the digits of a phone in any spelling, also of a WhatsApp JID; None for any other text."""
    if jid := _JID.fullmatch(to):
        return jid[1]
    return re.sub(r"\D", "", to).removeprefix("00") if _NUMBER.fullmatch(to) else None


def recent(page_args: PageArgs) -> PageArgs:
    """Orders chats by their newest message."""
    return replace(page_args, order="last_at")  # the index ix_messenger_chats_recent, read backwards


def _newest(page_args: PageArgs) -> PageArgs:
    """Orders by the index ix_messenger_messages_chat, read backwards. Reads `content`, which may hold megabytes, only
    if the caller asks for it.
    """
    columns = None if page_args.columns is None or "content" in page_args.columns else _LIGHT
    return replace(page_args, order="at", columns=columns)


def _as_chat_messages(services: Services, page: CursorPage[Any]) -> CursorPage[ChatMessageRow]:
    return cast(
        "CursorPage[ChatMessageRow]",
        replace(page, nodes=[as_chat_message(services, row) for row in page.nodes]),
    )


def _older(account: Any, chat: Any) -> bool:
    """Returns whether the messenger can be asked for messages older than the stored ones."""
    return account.state == AccountState.working and not (chat and chat.whole)


async def _find_chat(op: Op, account: Any, to: str | None, thread: str | None) -> Any:
    """Returns the chat that `to` or `thread` names, or None if it is unknown. Raises BadRequest."""
    if not (to or thread):
        raise BadRequest("Name the chat: `to` (a phone or @username), or `thread`.", code="validation_failed")
    if thread is not None:
        return await op.db.fetchrow(_BY_THREAD, account.id, thread)
    whom = await address(op.db, account, to or "")
    return await op.db.fetchrow(_CHAT_OF, account.id, whom, whom.removeprefix("@"))


async def _fill(op: Op, account: Any, chat: Any, to: str, limit: int) -> Any:
    """Asks the messenger for messages older than the stored ones. Errors are ignored: the messenger may be unreachable
    or the account's rate limit used up, and then the stored messages are the answer.
    """
    with suppress(AppError):
        await _look_up(op, account)
        if chat is None:
            whom = await address(op.db, account, to)
            person = await call_client.ask(
                op.services, account.id, "person", {"to": whom}, seconds=_HISTORY_SECONDS
            )
            thread, oldest = (person or {}).get("id"), None
        else:
            thread, oldest = chat.thread, await op.db.fetchval(_OLDEST, chat.id)
        if thread:
            asked = {"thread": thread, "limit": limit, "before": oldest}
            history = await call_client.ask(
                op.services, account.id, "history", asked, seconds=_HISTORY_SECONDS
            )
            chat = chat or await op.db.fetchrow(_BY_THREAD, account.id, thread)
            if chat is not None and len(history) < limit:
                await op.db.fetch(_WHOLE, chat.id)
    return chat


async def _look_up(op: Op, account: Any) -> None:
    """Counts a lookup before the messenger is asked, since messengers ban accounts that ask too much. Raises
    RateLimited.
    """
    limit = Limit.parse("messenger_lookups", op.services.settings.limit_messenger_lookups)
    await op.services.limiter.enforce(limit, str(account.id), "lookups by this account")


async def _check_before(op: Op, account: Any, before: UUID) -> None:
    if await op.db.fetchval(_IN_CHAT, before, account.id) is None:
        raise NotFound(
            "before must be the item of a message in this account's chats. Take it from a page that you"
            " have read.",
            code="message_not_found",
        )


async def _own(op: Op, account_id: UUID) -> None:
    """Raises NotFound for a message of an account that the caller may not see."""
    try:
        await mine(op, account_id)
    except NotFound:
        raise _gone() from None


def _person(person: Any) -> ChatUser:
    name = " ".join(part for part in (person.get("first_name"), person.get("last_name")) if part)
    return ChatUser(
        id=person["id"],
        phone=person.get("phone"),
        username=person.get("username"),
        name=name or None,
        avatar=person.get("avatar"),
        exists=person.get("exists", True),
        last_seen=person.get("last_seen"),
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


def _inline(url: str) -> tuple[bytes, str]:
    head = _DATA.match(url)
    if head is None:
        raise _no_media()
    encoded = url[head.end() :]
    try:
        return (base64.b64decode(encoded) if head[2] else unquote_to_bytes(encoded)), head[1]
    except (binascii.Error, ValueError):
        raise _no_media() from None


def _gone() -> NotFound:
    return NotFound(
        "There is no message with this item in the chats of this account. Check the item.",
        code="message_not_found",
    )


def _no_media() -> NotFound:
    return NotFound(
        "This message has no such file. Read the message to see what it contains.", code="media_not_found"
    )
