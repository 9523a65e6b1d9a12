"""The chats of all messenger accounts of a user in one list, and what changes in them, for people who answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from core import pubsub
from core.errors import AppError, NotFound
from core.pubsub import GAP, listening
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from engine.messengers import event_writer
from resolvers.chat_shapes import COLUMNS, ChatMessageRow, as_chat_message
from resolvers.chats import CHATS, IN_ACCOUNT, recent, visible
from resolvers.messenger_accounts import mine, state_of
from resolvers.messenger_relations import seen_accounts
from resolvers.read_retry import retry_read
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.messenger_accounts import AccountState

STEP = 0.25  # seconds in which announcements are collected before their messages are read
_MOST_MISSED = 50  # chats whose newest message is told after a gap

_CHAT = models.Chat
_IS_IN = "SELECT true FROM messenger_messages WHERE id = $1 AND chat_id = $2"
_FROM = f"SELECT {COLUMNS} FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id"  # noqa: S608  our own columns
_CHANGED = f"""
{_FROM} WHERE m.id = ANY($1) AND a.deleted_at IS NULL AND a.id = COALESCE($2, a.id) AND a.owner_id = $3
ORDER BY m.at, m.seq
"""
_MISSED = f"""
{_FROM} JOIN messenger_chats AS c ON c.last_item = m.id
WHERE a.deleted_at IS NULL AND a.id = COALESCE($1, a.id) AND a.owner_id = $2 AND c.updated_at >= $3
ORDER BY m.at DESC, m.seq DESC LIMIT $4
"""


@operation(Permission.messengers_read, "read")
async def page(
    op: Op, account_id: UUID | None, page_args: PageArgs, where: Conditions
) -> CursorPage[models.Chat]:
    """Returns one page of the chats of all the caller's accounts (or of one), the one with the newest message first.

    Administrators get those of all users. Raises NotFound.
    """
    args, viewer = recent(page_args), op.viewer
    if account_id is not None:
        account = await mine(op, account_id)
        return await CHATS.page(op.db, args, where, IN_ACCOUNT, account_id=account.id)
    accounts = seen_accounts(viewer.admin)
    return await CHATS.merged(op.db, _CHAT.account_id, accounts, args, where, owner_id=viewer.id)


@operation(Permission.messengers_send, "outside")
async def read(op: Op, id: UUID, up_to: UUID | None = None) -> models.Chat:
    """Marks the messages of a chat as read, up to `up_to` or to the newest one there is now.

    Messages after it stay unread. The messenger learns of it only if the account is working. Raises NotFound.
    """
    before = await visible(op, id)
    account = await mine(op, before.account_id)
    if up_to is not None and not await op.db.fetchval(_IS_IN, up_to, id):
        raise NotFound(
            "upTo must be a message of this chat. Take it from a page that you have read.",
            code="message_not_found",
        )
    last = up_to or before.last_item
    if before.unread and state_of(account) is AccountState.working:
        with suppress(AppError):  # the other side sees no receipt; the message was read here all the same
            await event_writer.acknowledge(op.services, id, last)
    await event_writer.set_read(op.services, id, last)
    if before.unread:
        change = {
            "kind": "read",
            "account": str(account.id),
            "item": str(before.last_item),
            "thread": before.thread,
        }
        for topic in (f"messenger:{account.id}", f"messengers:{account.owner_id}"):
            await pubsub.publish(op.services.store, topic, change)
    return await visible(op, id)


@operation(Permission.messengers_read, "outside")
async def changes(op: Op, account_id: UUID | None = None) -> AsyncIterator[ChatMessageRow]:
    """Yields each message of the caller's chats (or of one account's) that is new or changes from now on.

    After a chat was read it yields the chat's newest message; after a gap, that of each chat that has changed. Raises
    NotFound.
    """
    owner, topic = op.viewer.id, f"messengers:{op.viewer.id}"
    if account_id is not None:
        owner, topic = (await mine(op, account_id)).owner_id, f"messenger:{account_id}"
    return _changes(op.services, owner, account_id, topic)


async def _changes(
    services: Services, owner: UUID, account_id: UUID | None, topic: str
) -> AsyncIterator[ChatMessageRow]:
    db = services.db
    since = await retry_read(partial(db.fetchval, "SELECT now()"))
    async with listening(services.store, topic) as events:
        while True:
            items = await _collect(events)
            now = await retry_read(partial(db.fetchval, "SELECT now()"))
            if items is None:
                asked: Any = partial(db.fetch, _MISSED, account_id, owner, since, _MOST_MISSED)
            else:
                asked = partial(db.fetch, _CHANGED, [*items], account_id, owner)
            since = now
            for row in await retry_read(asked):
                yield as_chat_message(services, row)


async def _collect(events: AsyncIterator[dict[str, Any]]) -> set[UUID] | None:
    """Waits for an announcement about messages and those that follow it in `STEP`. Returns the messages; None: any."""
    items: set[UUID] = set()
    missed = False
    while not (items or missed):
        missed = _note(await anext(events), items)
    with suppress(TimeoutError):
        async with asyncio.timeout(STEP):
            while True:
                missed = _note(await anext(events), items) or missed
    return None if missed else items


def _note(event: dict[str, Any], items: set[UUID]) -> bool:
    """Adds the message of an announcement to `items`. Returns whether announcements were missed."""
    with suppress(ValueError):  # written by another version of Postern, or about a chat without a message
        if "item" in event:
            items.add(UUID(str(event["item"])))
    return event == GAP
