"""Labels of chats: each user has a list of them. A chat has labels of the user who owns its account."""

from builtins import list as list_of
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import any_, func, select

from core.errors import Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from db import models
from db.query import Query, p
from resolvers.chats.chat_changes import publish
from resolvers.chats.chat_lists import CHAT, visible
from resolvers.messenger_accounts.account_rows import mine
from resolvers.messenger_relations import of_seen
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.chat_labels import MOST_LABELS, ChatLabelPatch, NewChatLabel

_LABEL, _OF_CHAT = models.ChatLabel, models.LabelOfChat
_ALL = Query(
    _LABEL,
    select(_LABEL).where(_LABEL.owner_id == p("owner_id")).order_by(func.lower(_LABEL.name), _LABEL.id),
)
_OF_CHATS = {
    everyone: Query(
        _LABEL,
        select(_LABEL, _OF_CHAT.chat_id)
        .join(_OF_CHAT, _OF_CHAT.label_id == _LABEL.id)
        .join(CHAT, CHAT.id == _OF_CHAT.chat_id)
        .where(_OF_CHAT.chat_id == any_(p("chats", like=CHAT.id)), *of_seen(CHAT.account_id, everyone))
        .order_by(func.lower(_LABEL.name), _LABEL.id),
    )
    for everyone in (False, True)
}
_TAKE_OFF = "DELETE FROM messenger_chat_labels WHERE chat_id = $1 AND label_id <> ALL($2::uuid[])"
_PUT_ON = """
INSERT INTO messenger_chat_labels (chat_id, label_id)
SELECT $1, l.id FROM messenger_labels AS l WHERE l.owner_id = $3 AND l.id = ANY($2::uuid[])
ON CONFLICT DO NOTHING
"""
_LOCK_CHAT = "UPDATE messenger_chats SET updated_at = now() WHERE id = $1"
_HOW_MANY = "SELECT count(*) FROM messenger_labels WHERE owner_id = $1 AND id = ANY($2::uuid[])"


@operation(Permission.messengers_read, "read")
async def list(op: Op) -> list_of[models.ChatLabel]:
    """Lists your labels for chats, in the order of their names."""
    return await _ALL.all(op.db, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.ChatLabel:
    """Returns one label. Raises NotFound."""
    labels = await _ALL.all(op.db, owner_id=op.viewer.id)
    label = next((label for label in labels if label.id == id), None)
    if label is None:
        raise _unknown()
    return label


@operation(Permission.messengers_read, "read")
async def of_chats(op: Op, chats: Sequence[UUID]) -> Sequence[Sequence[models.ChatLabel]]:
    """Returns the labels of each chat that the caller sees, in the order of their names."""
    return await _labels_of(op, chats)


@operation(Permission.messengers_read, "read")
async def of_chat(op: Op, id: UUID) -> Sequence[models.ChatLabel]:
    """Lists the labels of a chat, in the order of their names. Raises NotFound."""
    await visible(op, id)
    (labels,) = await _labels_of(op, [id])
    return labels


@operation(Permission.messengers_send, idempotent=stored_model(models.ChatLabel))
async def create(op: Op, input: NewChatLabel) -> models.ChatLabel:
    """Creates a label for chats. You may have a hundred. Raises Conflict if there is one of this name, or if there are
    too many.
    """
    await _lock_owner(op)
    labels = (await op.session.scalars(select(_LABEL).where(_LABEL.owner_id == op.viewer.id))).all()
    if len(labels) >= MOST_LABELS:
        raise Conflict(
            f"You may have at most {MOST_LABELS} labels. Delete one that is not used.", code="too_many_labels"
        )
    _check_name(labels, input.name, None)
    row = _LABEL(id=uuid7(), owner_id=op.viewer.id, name=input.name, color=input.color.value)
    op.session.add(row)
    await op.session.flush()
    return row


@operation(Permission.messengers_send)
async def update(op: Op, id: UUID, input: ChatLabelPatch) -> models.ChatLabel:
    """Changes the name or the color of a label. Raises NotFound, and Conflict if another one has the name."""
    await _lock_owner(op)
    labels = (await op.session.scalars(select(_LABEL).where(_LABEL.owner_id == op.viewer.id))).all()
    row = next((label for label in labels if label.id == id), None)
    if row is None:
        raise _unknown()
    if input.name is not None:
        _check_name(labels, input.name, id)
        row.name = input.name
    if input.color is not None:
        row.color = input.color.value
    return row


@operation(Permission.messengers_send)
async def delete(op: Op, id: UUID) -> None:
    """Deletes a label, and takes it off all chats. Raises NotFound."""
    row = await op.session.get(_LABEL, id)
    if row is None or row.owner_id != op.viewer.id:
        raise _unknown()
    await op.session.delete(row)


@operation(Permission.messengers_send, "outside")
async def put(op: Op, id: UUID, labels: Sequence[UUID]) -> models.Chat:
    """Gives a chat these labels and no others. A chat may have twenty. Raises NotFound, and ValidationFailed for
    unknown labels.
    """
    chat = await visible(op, id)
    account = await mine(op, chat.account_id)
    some = [*dict.fromkeys(labels)]
    async with op.db.transaction() as db:
        if await db.fetchval(_HOW_MANY, account.owner_id, some) < len(some):
            raise ValidationFailed(["labels: must be ids of labels of the user who owns the account"])
        await db.execute(_LOCK_CHAT, id)
        await db.execute(_TAKE_OFF, id, some)
        await db.execute(_PUT_ON, id, some, account.owner_id)
    await publish(op, account, chat)
    return await visible(op, id)


async def _labels_of(op: Op, chats: Sequence[UUID]) -> Sequence[Sequence[models.ChatLabel]]:
    labels: dict[UUID, list_of[models.ChatLabel]] = {id: [] for id in chats}
    rows: list_of[Any] = await _OF_CHATS[op.viewer.admin].all(op.db, chats=[*labels], owner_id=op.viewer.id)
    for row in rows:
        labels[row.chat_id].append(row)
    return [labels[id] for id in chats]


async def _lock_owner(op: Op) -> None:
    """Lets only one request at a time change the caller's list."""
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )


def _check_name(labels: Sequence[models.ChatLabel], name: str, own: UUID | None) -> None:
    if any(label.name.lower() == name.lower() and label.id != own for label in labels):
        raise Conflict("You have a label of this name. Use it, or choose another name.", code="label_exists")


def _unknown() -> NotFound:
    return NotFound("There is no label with this id among yours. Check the id.")
