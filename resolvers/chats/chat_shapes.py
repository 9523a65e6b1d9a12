"""Builds the messages of chats as both doors show them."""

from datetime import datetime
from heapq import nlargest
from operator import attrgetter
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from engine.webhooks import chat_bodies
from runtime.services import Services
from shapes.chats import ChatMessage, ChatMessageStatus, ContentKind, ContentShown, ReactionShown

REACTIONS = 50  # shown of each message; the row keeps up to a thousand

COLUMNS = """
m.id, m.account_id, m.thread, m.sender, m.recipient, m.name, m.text, m.outgoing, m.content, m.details,
m.reactions, m.status,
m.failure_code, m.failure_reason, m.at, m.edited_at, m.deleted_at, m.provider_id, m.chat_id, m.record_id, m.seq,
a.source, a.login, a.connected_phone,
(SELECT r.id FROM messenger_messages AS r
 WHERE r.account_id = m.account_id AND r.thread = m.thread AND r.provider_id = m.reply_to) AS replied
"""
"""The columns that `as_chat_message` reads, of messenger_messages `m` and messenger_accounts `a`."""


class ChatMessageRow(ChatMessage):
    """A chat message with ids that no door shows; GraphQL's relations need them."""

    chat_id: Annotated[UUID | None, Field(exclude=True)]
    record_id: Annotated[UUID | None, Field(exclude=True)]
    seq: Annotated[int, Field(exclude=True)]


def as_chat_message(services: Services, row: Any) -> ChatMessageRow:
    """Returns the message for a row. `content` may be missing from the row if the caller did not ask for it."""
    sender, recipient = chat_bodies.sender_and_recipient(row, row)
    return ChatMessageRow.model_construct(
        id=row.id,
        chat_id=row.chat_id,
        record_id=row.record_id,
        seq=row.seq,
        account_id=row.account_id,
        thread=row.thread,
        sender=sender,
        recipient=recipient,
        name=row["name"],
        time=int(row.at.timestamp()),
        at=row.at,
        text=row.text,
        details=row.details,
        outgoing=row.outgoing,
        reply_to=row.replied,
        content=[
            ContentShown.model_construct(**{**item, "type": ContentKind(item["type"])})
            for item in chat_bodies.content(services, row.id, row.get("content", ()))
        ],
        reactions=_as_reactions(row.reactions),
        status=ChatMessageStatus(row.status),
        edited_at=row.edited_at,
        deleted_at=row.deleted_at,
        failure_code=row.failure_code,
        failure_reason=row.failure_reason,
    )


def _as_reactions(stored: Any) -> Any:
    reactions = [
        ReactionShown.model_construct(
            sender=sender, emoji=reaction["emoji"], at=datetime.fromisoformat(reaction["at"])
        )
        for sender, reaction in stored.items()
        if reaction["emoji"]
    ]
    return reactions if len(reactions) <= REACTIONS else nlargest(REACTIONS, reactions, key=attrgetter("at"))
