"""Reads the lists of chats and of their messages, and says which chats a caller may see."""

from dataclasses import replace
from typing import Any, cast
from uuid import UUID

from sqlalchemy import any_, false, inspect, or_, select
from sqlalchemy.orm import aliased

from core.errors import NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import selected
from db.query import p
from resolvers.chats.chat_shapes import ChatMessageRow, as_chat_message
from resolvers.messenger_relations import of_seen
from runtime.operation import Op
from runtime.services import Services
from shapes.chats import ChatState

CHAT, MESSAGE, _ACCOUNT = models.Chat, models.ChatMessage, models.MessengerAccount
_ANSWERED = aliased(MESSAGE)
_LABEL = models.LabelOfChat


def _has_label(condition: Any) -> Any:
    return select(1).where(_LABEL.chat_id == CHAT.id, condition).exists()


CHATS = Listing(
    CHAT,
    orders={"last_at": CHAT.last_at},
    always=(CHAT.last_at.is_not(None),),  # last_at is set by a chat's first message
    filters={
        ("unread", "eq"): (CHAT.unread > 0) == p("unread_eq_"),
        # Without a parameter, so that a partial index is found: see `by_state`.
        ("state", "open"): CHAT.closed_at.is_(None),
        ("state", "closed"): CHAT.closed_at.is_not(None),
        ("state", "none"): false(),
        ("label", "eq"): _has_label(_LABEL.label_id == p("label_eq_")),
        ("label", "in_"): _has_label(_LABEL.label_id == any_(p("label_in__", like=_LABEL.label_id))),
        ("text", "contains"): or_(
            *(
                column.ilike(p("text_contains_"), escape="\\")
                for column in (CHAT.name, CHAT.phone, CHAT.username)
            )
        ),
    },
)
MESSAGES = Listing(
    MESSAGE,
    key=MESSAGE.seq,
    orders={"at": MESSAGE.at},
    extra=(
        *(
            select(column).where(_ACCOUNT.id == MESSAGE.account_id).scalar_subquery().label(column.key)
            for column in (_ACCOUNT.source, _ACCOUNT.login, _ACCOUNT.connected_phone)
        ),
        select(_ANSWERED.id)
        .where(
            _ANSWERED.account_id == MESSAGE.account_id,
            _ANSWERED.thread == MESSAGE.thread,
            _ANSWERED.provider_id == MESSAGE.reply_to,
        )
        .scalar_subquery()
        .label("replied"),
    ),
    without=("key", "request_hash", "asked_at", "created_at"),
)
_LIGHT = frozenset(
    {column.key for column in inspect(MESSAGE).column_attrs} - {"content", *MESSAGES.without}
) | {column.key for column in MESSAGES.extra}
IN_ACCOUNT = CHAT.account_id == p("account_id")
IN_CHAT = MESSAGE.chat_id == p("chat_id")


async def visible(op: Op, id: UUID) -> models.Chat:
    """Returns a chat that the caller may see. Raises NotFound."""
    seen = of_seen(CHAT.account_id, op.viewer.admin)
    (chat,) = await CHATS.by_ids(op.db, [id], None, *seen, owner_id=op.viewer.id)
    if chat is None:
        raise NotFound("There is no chat with this id among yours. Check the id.")
    return chat


def by_state(where: Conditions) -> Conditions:
    """Returns the conditions with that on the state as one without a value."""
    left = {name: value for name, value in where.items() if name[0] != "state"}
    if len(left) == len(where):
        return where
    states = selected(where, "state", ChatState)
    if len(states) == len(ChatState):
        return left
    return {**left, ("state", states[0] if states else "none"): True}


def recent(page_args: PageArgs) -> PageArgs:
    """Orders chats by their newest message."""
    return replace(page_args, order="last_at")  # the index ix_messenger_chats_recent, read backwards


def newest(page_args: PageArgs) -> PageArgs:
    """Orders by the index ix_messenger_messages_chat, read backwards. Reads `content`, which may hold megabytes, only
    if the caller asks for it.
    """
    columns = None if page_args.columns is None or "content" in page_args.columns else _LIGHT
    return replace(page_args, order="at", columns=columns)


def as_chat_messages(services: Services, page: CursorPage[Any]) -> CursorPage[ChatMessageRow]:
    """Returns the page with every row as a message of both doors."""
    return cast(
        "CursorPage[ChatMessageRow]",
        replace(page, nodes=[as_chat_message(services, row) for row in page.nodes]),
    )
