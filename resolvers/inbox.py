"""The chats of all messenger accounts of a user in one list, and what changes in them, for people who answer."""

from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from core.errors import AppError, NotFound
from core.pubsub import GAP, messenger, messengers
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.session import Database
from engine.messengers import read_receipts
from resolvers.changes import looks
from resolvers.chats.chat_changes import publish
from resolvers.chats.chat_lists import CHATS, IN_ACCOUNT, MESSAGES, by_state, recent, visible
from resolvers.chats.chat_shapes import ChatMessageRow, as_chat_message
from resolvers.messenger_accounts.account_rows import LISTS, MINE, mine, state_of
from resolvers.messenger_relations import of_seen, seen_accounts
from resolvers.read_retry import retry_read
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.messenger_accounts import AccountState

LOOK_SECONDS = 300.0  # a process that dies after its commit announces nothing
_MOST_MISSED = 50  # chats, the newest ones, that are looked at after a gap
_MOST_READ = 20  # messages that are read at once, since each may hold megabytes
_LATE = timedelta(minutes=1)  # a transaction may commit this long after its now()

_CHAT, _MESSAGE = models.Chat, models.ChatMessage
_MISSED = recent(PageArgs(first=_MOST_MISSED, columns=frozenset({"last_item", "updated_at"})))
_LOCK_CHAT = "SELECT FROM messenger_chats WHERE id = $1 FOR NO KEY UPDATE"
_CLOSE = """
UPDATE messenger_chats SET closed_at = now(), updated_at = now()
WHERE id = $1 AND closed_at IS NULL AND ($2::uuid IS NULL OR NOT EXISTS (
  SELECT FROM messenger_messages AS m WHERE m.chat_id = $1 AND NOT m.outgoing AND NOT m.past AND (m.at, m.seq) > (
    SELECT seen.at, seen.seq FROM messenger_messages AS seen WHERE seen.id = $2
  )
))
RETURNING true
"""
_REOPEN = """
UPDATE messenger_chats SET closed_at = NULL, updated_at = now() WHERE id = $1 AND closed_at IS NOT NULL RETURNING true
"""
_IS_IN = "SELECT true FROM messenger_messages WHERE id = $1 AND chat_id = $2"


@operation(Permission.messengers_read, "read")
async def page(
    op: Op, account_id: UUID | None, page_args: PageArgs, where: Conditions
) -> CursorPage[models.Chat]:
    """Lists the chats of all your messenger accounts, the one with the newest message first; administrators get those
    of all users.

    With an account they are those of this account. Raises NotFound.
    """
    if account_id is not None:
        account_id = (await mine(op, account_id)).id
    return await _page(op.db, op.viewer.id, op.viewer.admin, account_id, recent(page_args), by_state(where))


@operation(Permission.messengers_send, "outside")
async def read(op: Op, id: UUID, up_to: UUID | None = None) -> models.Chat:
    """Marks the messages of a chat as read, also at the messenger if the account is working. Repeating it is not an
    error.

    They are those up to `up_to`, or to the newest one there is now; later ones stay unread. Raises NotFound.
    """
    before = await visible(op, id)
    account = await mine(op, before.account_id)
    await _check_in_chat(op, id, up_to)
    last = up_to or before.last_item
    if before.unread and state_of(account) is AccountState.working:
        with suppress(AppError):  # the other side sees no receipt; the message was read here all the same
            await read_receipts.acknowledge(op.services, id, last)
    await read_receipts.set_read(op.services, id, last)
    if before.unread:
        await publish(op, account, before, "read")
    return await visible(op, id)


@operation(Permission.messengers_send, "outside")
async def close(op: Op, id: UUID, up_to: UUID | None = None) -> models.Chat:
    """Closes a chat, until a message comes in. If one has come in after `upTo`, the chat stays open: look at
    `closedAt`. Repeating it is not an error. Raises NotFound.
    """
    before = await visible(op, id)
    account = await mine(op, before.account_id)
    await _check_in_chat(op, id, up_to)
    async with op.db.transaction() as db:
        # A message that is being stored is there once the row is locked.
        await db.execute(_LOCK_CHAT, id)
        closed = await db.fetchval(_CLOSE, id, up_to)
    if closed:
        await publish(op, account, before)
    return await visible(op, id)


@operation(Permission.messengers_send, "outside")
async def reopen(op: Op, id: UUID) -> models.Chat:
    """Opens a closed chat again. Repeating it is not an error. Raises NotFound."""
    before = await visible(op, id)
    account = await mine(op, before.account_id)
    async with op.db.transaction() as db:
        opened = await db.fetchval(_REOPEN, id)
    if opened:
        await publish(op, account, before)
    return await visible(op, id)


async def _check_in_chat(op: Op, chat: UUID, up_to: UUID | None) -> None:
    if up_to is not None and not await op.db.fetchval(_IS_IN, up_to, chat):
        raise NotFound(
            "upTo must be a message of this chat. Take it from a page that you have read.",
            code="message_not_found",
        )


@operation(Permission.messengers_read, "outside")
async def changes(op: Op, account_id: UUID | None = None) -> AsyncIterator[ChatMessageRow]:
    """Emits each message of your messenger accounts that is new or has changed: its status, its reactions, its text, or
    that it was deleted. After a chat was read it emits the chat's newest message.

    After a gap it yields the newest message of each of the newest chats that has changed, and perhaps of some that have
    not. It ends when the account is deleted. Raises NotFound.
    """
    owner, topic = op.viewer.id, messengers(op.viewer.id)
    if account_id is not None:
        owner, topic = (await mine(op, account_id)).owner_id, messenger(account_id)
    return _changes(op.services, owner, account_id, topic)


async def _changes(
    services: Services, owner: UUID, account_id: UUID | None, topic: str
) -> AsyncIterator[ChatMessageRow]:
    db, before = services.db, None
    changed_items = partial(_changed_items, account_id)
    async with aclosing(looks(services, topic, changed_items, every=LOOK_SECONDS)) as reads:
        async for changed in reads:
            since, before = before, await retry_read(partial(db.fetchval, "SELECT now()"))
            if changed is None and not await retry_read(partial(_exists, db, owner, account_id)):
                return
            if since is None:
                continue  # the caller loads what was there before
            missed = partial(_missed, db, owner, account_id, since - _LATE)
            items = sorted(await retry_read(missed) if changed is None else changed)
            for start in range(0, len(items), _MOST_READ):
                some = items[start : start + _MOST_READ]
                for row in await retry_read(partial(_messages, db, owner, account_id, some)):
                    yield as_chat_message(services, row)


def _changed_items(account_id: UUID | None, event: dict[str, Any]) -> set[UUID] | None:
    """Returns the message that an announcement names. None: any may have changed, or the account is deleted."""
    if event == GAP:
        return None
    if account_id is not None and event.get("type") == "state" and event.get("state") is None:
        return None
    with suppress(ValueError):  # written by another version of Postern, or about a chat without a message
        if "item" in event:
            return {UUID(str(event["item"]))}
    return set()


async def _exists(db: Database, owner: UUID, account_id: UUID | None) -> bool:
    """Returns whether the account, if one is given, has not been deleted."""
    if account_id is None:
        return True
    (account,) = await LISTS.by_ids(db, [account_id], frozenset({"id"}), MINE, owner_id=owner)
    return account is not None


async def _missed(db: Database, owner: UUID, account_id: UUID | None, since: datetime) -> set[UUID]:
    """Returns the newest message of each chat that has changed since then, among the newest chats."""
    page = await _page(db, owner, False, account_id, _MISSED, {})
    return {chat.last_item for chat in page.nodes if chat.last_item and chat.updated_at >= since}


async def _messages(db: Database, owner: UUID, account_id: UUID | None, items: list[UUID]) -> list[Any]:
    """Returns the messages with these ids that the owner sees, in the order of their chats."""
    seen = of_seen(_MESSAGE.account_id, False)
    messages: list[Any] = await MESSAGES.by_ids(db, items, None, *seen, owner_id=owner)
    rows = [row for row in messages if row is not None and account_id in (None, row.account_id)]
    return sorted(rows, key=lambda row: (row.at, row.seq))


async def _page(
    db: Database, viewer: UUID, everyone: bool, account_id: UUID | None, args: PageArgs, where: Conditions
) -> CursorPage[models.Chat]:
    """Returns one page of the chats of an account that the viewer sees, or of all of them (with `everyone`: of all
    users).
    """
    if account_id is not None:
        return await CHATS.page(db, args, where, IN_ACCOUNT, account_id=account_id)
    accounts = seen_accounts(everyone)
    return await CHATS.merged(db, _CHAT.account_id, accounts, args, where, owner_id=viewer)
