"""Chats of messenger accounts (contract §4, area C). `engine/messengers/sending.py` sends.

`chat_lists` reads chats and messages from our database, `chat_history` fetches missing messages from the messenger, and
`chat_media` opens the files of messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Forbidden, NotFound
from core.rate_limits import Limit
from db import models
from db.lists import Belonging, Conditions, CursorPage, PageArgs
from engine.contacts import history
from engine.messengers import call_client, sending
from engine.messengers.attempts import NewMessage
from engine.messengers.media import Source
from resolvers import reach
from resolvers.chats.chat_history import address, digits_of, fetch_older, find_chat, has_older, limit_lookups
from resolvers.chats.chat_lists import (
    CHAT,
    CHATS,
    IN_ACCOUNT,
    IN_CHAT,
    MESSAGE,
    MESSAGES,
    as_chat_messages,
    by_state,
    newest,
    recent,
    visible,
)
from resolvers.chats.chat_media import Opened, find_file, no_file, open_file
from resolvers.chats.chat_recipients import names_of
from resolvers.chats.chat_shapes import COLUMNS, ChatMessageRow, as_chat_message
from resolvers.messenger_accounts.account_rows import Key, mine
from resolvers.messenger_relations import of_seen
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from shapes.chat_requests import DEFAULT_LIMIT, NewChatMessage
from shapes.chats import ChatMessage, ChatUser, SendResult, SentMessage
from shapes.messenger_accounts import MessengerDriver

_OF_CONTACT = Belonging(
    f"messenger_chats.id = ANY({history.ids_of(history.CHATS, 'parents.parent_')})", models.Contact.id.type
)
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


@dataclass(frozen=True, slots=True)
class Written:
    """The answer of sendMessage: `results` in the vendor's shape, and the message."""

    results: list[SendResult]
    message: ChatMessage


@operation(Permission.messengers_send, "outside")
async def send(op: Op, key: Key, input: NewChatMessage) -> Written:
    """Sends a message. A success means that the messenger has accepted it.

    It is sent once for each idempotency key (the body's, otherwise the header's). Raises NotFound, RateLimited,
    BadRequest (`unsupported`, `bad_media`, …), TooLarge, and what `sending.send` raises.
    """
    account = await mine(op, key)
    if input.template is not None and account.driver != MessengerDriver.whatsapp_cloud:
        raise BadRequest(
            "Only WhatsApp Cloud accounts send templates. Send a text through this account.",
            code="unsupported",
        )
    to = await address(op.services.db, account, input.to)
    limit = Limit.parse("messenger", op.services.settings.limit_messenger_messages)
    await op.services.limiter.enforce(limit, str(account.id), "messages of this account")
    admit = None
    if op.viewer.reach:
        admit = partial(reach.require, op, addresses=await names_of(op, account, to), same_person=True)
    sent = await sending.send(
        op.services,
        account,
        NewMessage(
            to,
            input.text,
            tuple(Source(item.type, item.src, item.filename) for item in input.content),
            input.reply_to,
            None if input.template is None else input.template.model_dump(),
            requested_to=digits_of(input.to) or input.to,
        ),
        key=input.idempotency_key or op.ctx.idempotency_key,
        admit=admit,
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
    """Lists the chats of a messenger account, the one with the newest message first. Raises NotFound."""
    account = await mine(op, key)
    return await CHATS.page(op.db, recent(page_args), by_state(where), IN_ACCOUNT, account_id=account.id)


@operation(Permission.messengers_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Chat]]:
    """Returns one page of chats for each account, the one with the newest message first."""
    scope = of_seen(CHAT.account_id, op.viewer.admin)
    return await CHATS.pages(
        op.db, CHAT.account_id, accounts, recent(page_args), by_state(where), *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def of_contacts(
    op: Op, contacts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Chat]]:
    """Returns one page of chats for each contact: those with its phones or user names."""
    scope = of_seen(CHAT.account_id, op.viewer.admin)
    return await CHATS.pages(
        op.db, _OF_CONTACT, contacts, recent(page_args), by_state(where), *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Chat | None]:
    """Returns chats by id. An id that the caller may not see gives None."""
    seen = of_seen(CHAT.account_id, op.viewer.admin)
    return await CHATS.by_ids(op.db, ids, column_names, *seen, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.Chat:
    """Returns one chat of a messenger account. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.messengers_read, "read")
async def of_chats(
    op: Op, chats: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[ChatMessageRow]]:
    """Returns one page of stored messages for each chat, newest first."""
    scope = of_seen(MESSAGE.account_id, op.viewer.admin)
    pages = await MESSAGES.pages(
        op.db, MESSAGE.chat_id, chats, newest(page_args), where, *scope, owner_id=op.viewer.id
    )
    return [as_chat_messages(op.services, page) for page in pages]


@operation(Permission.messengers_read, "outside")
async def written(
    op: Op, key: Key, to: str | None, thread: str | None, page_args: PageArgs, where: Conditions
) -> CursorPage[ChatMessageRow]:
    """Lists the messages of a chat, newest first. The chat is given by `to` (a phone, a @username) or by `thread`. If
    fewer than `first` messages are stored and no filter is given, older ones are fetched from the messenger. Raises
    NotFound, BadRequest.
    """
    account = await mine(op, key)
    chat = await find_chat(op, account, to, thread)

    async def read() -> CursorPage[ChatMessageRow]:
        parameters = {"chat_id": chat and chat.id}
        return as_chat_messages(
            op.services, await MESSAGES.page(op.db, newest(page_args), where, IN_CHAT, **parameters)
        )

    page = await read()
    newest_first = not page_args.backwards and page_args.descending is not False
    if not where and newest_first and len(page.nodes) < page_args.limit and has_older(account, chat):
        chat = await fetch_older(op, account, chat, to or thread or "", page_args.limit)
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
    """Returns the newest messages of a chat (or those older than `before`), oldest first.

    If fewer than `limit` are stored, it asks the messenger, unless the account is not working or has asked too often.
    An unknown chat gives an empty list. Raises NotFound (account, `before`), BadRequest.
    """
    account = await mine(op, key)
    if not 1 <= limit <= 100:
        raise BadRequest("limit must be from 1 to 100.", code="validation_failed")
    chat = await find_chat(op, account, to, thread)
    if before is not None:
        await _check_before(op, account, before)
    rows = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    if len(rows) < limit and has_older(account, chat):
        chat = await fetch_older(op, account, chat, to or thread or "", limit)
        rows = await op.db.fetch(_PAGE, chat and chat.id, before, limit)
    return [as_chat_message(op.services, row) for row in reversed(rows)]


@operation(Permission.messengers_read, "read")
async def message(op: Op, key: Key | None, item: UUID) -> ChatMessage:
    """Returns one chat message, of the given messenger account or of any of yours.

    `key` None means any account of the caller. Raises NotFound.
    """
    account = None if key is None else await mine(op, key)
    row = await op.db.fetchrow(_BY_ID, item)
    if row is None or (account is not None and row.account_id != account.id):
        raise _gone()
    if account is None:
        await _own(op, row.account_id)
    return as_chat_message(op.services, row)


@operation(Permission.messengers_read, "outside")
async def user(op: Op, key: Key, to: str) -> ChatUser:
    """Looks up a messenger user by a phone, a @username or a thread.

    `exists` is false if the messenger finds no user. Raises NotFound, BadRequest, RateLimited, Conflict.
    """
    account = await mine(op, key)
    whom = await address(op.services.db, account, to)
    await limit_lookups(op, account)
    person = await call_client.ask(op.services, account.id, "person", {"to": whom})
    return _person(person) if person else _nobody(whom)


@operation(Permission.public, "outside")
async def media(
    op: Op, item: UUID, index: int, expires: int | None = None, signature: str | None = None
) -> Opened:
    """Downloads a file that came with a message. Callers are the account's owner, or anybody with a signed link, which
    needs no credential. Raises Forbidden for an expired or invalid link, Unauthenticated, NotFound, and what the
    messenger's driver raises.
    """
    viewer = None
    if signature is None:
        viewer = await op.ctx.viewer()
        if not allowed(viewer, Permission.messengers_read):
            raise Forbidden(
                f"This request needs the permission {Permission.messengers_read.value}. Use a token that has"
                " it, or ask an administrator."
            )
    elif not links.opens_media(op.services, item, index, expires or 0, signature):
        raise Forbidden("This link has expired or is invalid. Ask for a new one.", code="bad_link")
    row = await find_file(op, item, index)
    if not (row.active if viewer is None else viewer.admin or row.owner_id == viewer.id):
        raise no_file()
    return await open_file(op, row, index)


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


def _gone() -> NotFound:
    return NotFound(
        "There is no message with this item in the chats of this account. Check the item.",
        code="message_not_found",
    )
