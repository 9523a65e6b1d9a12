"""Notes about chats. A user who sees a chat reads its notes and writes some; they are never sent."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, select

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from resolvers.chats.chat_lists import visible
from resolvers.messenger_relations import of_seen
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.chat_notes import MOST_NOTES, NewChatNote

_NOTE = models.ChatNote
_LISTS = Listing(_NOTE, by_time=True)
_OF_CHAT = _NOTE.chat_id == p("chat_id")


@operation(Permission.messengers_read, "read")
async def page(op: Op, chat_id: UUID, page_args: PageArgs, where: Conditions) -> CursorPage[models.ChatNote]:
    """Lists the notes about a chat, newest first. They are shown in Postern alone. Raises NotFound."""
    await visible(op, chat_id)
    return await _LISTS.page(op.db, page_args, where, _OF_CHAT, chat_id=chat_id)


@operation(Permission.messengers_read, "read")
async def of_chats(
    op: Op, chats: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.ChatNote]]:
    """Returns one page of notes for each chat, newest first."""
    scope = of_seen(_NOTE.account_id, op.viewer.admin)
    return await _LISTS.pages(op.db, _NOTE.chat_id, chats, page_args, where, *scope, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.ChatNote:
    """Returns one note. Raises NotFound."""
    seen = of_seen(_NOTE.account_id, op.viewer.admin)
    (row,) = await _LISTS.by_ids(op.db, [id], None, *seen, owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.messengers_send, idempotent=stored_model(models.ChatNote))
async def create(op: Op, chat_id: UUID, input: NewChatNote) -> models.ChatNote:
    """Writes a note about a chat. It is not sent. Raises NotFound, and Conflict if the chat has too many."""
    chat = await visible(op, chat_id)
    await op.session.execute(
        select(models.Chat.id).where(models.Chat.id == chat_id).with_for_update(key_share=True)
    )
    number = await op.session.scalar(select(func.count()).where(_NOTE.chat_id == chat_id))
    if number is not None and number >= MOST_NOTES:
        raise Conflict(
            f"A chat may have at most {MOST_NOTES} notes. Delete some that are not needed any more.",
            code="too_many_notes",
        )
    row = _NOTE(
        id=uuid7(), account_id=chat.account_id, chat_id=chat_id, author_id=op.viewer.actor_id, text=input.text
    )
    op.session.add(row)
    await op.session.flush()
    return row


@operation(Permission.messengers_send)
async def delete(op: Op, id: UUID) -> None:
    """Deletes a note. Raises NotFound."""
    seen = of_seen(_NOTE.account_id, op.viewer.admin)
    (visible_row,) = await _LISTS.by_ids(op.db, [id], frozenset({"id"}), *seen, owner_id=op.viewer.id)
    row = visible_row and await op.session.get(_NOTE, id)
    if row is None:
        raise _unknown()
    await op.session.delete(row)


def _unknown() -> NotFound:
    return NotFound("There is no note with this id among those that you see. Check the id.")
