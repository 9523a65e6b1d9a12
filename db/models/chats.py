"""Tables messenger_chats, messenger_messages, messenger_parts and messenger_early."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, UniqueConstraint, func
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.chats import ChatMessageStatus


class Chat(Stamped, Base):
    """A conversation of a messenger account. `thread` is the messenger's id of it, unique within the account."""

    __tablename__ = "messenger_chats"
    __table_args__ = (
        UniqueConstraint("account_id", "thread"),
        Index("ix_messenger_chats_recent", "account_id", "last_at", "id"),
        # The chats that wait for an answer may be few among many, and so may those that are closed.
        Index(
            "ix_messenger_chats_open",
            "account_id",
            "last_at",
            "id",
            postgresql_where=sql("closed_at IS NULL"),
        ),
        Index(
            "ix_messenger_chats_closed",
            "account_id",
            "last_at",
            "id",
            postgresql_where=sql("closed_at IS NOT NULL"),
        ),
        Index("ix_messenger_chats_phone", "account_id", "phone", postgresql_where=sql("phone IS NOT NULL")),
        Index(
            "ix_messenger_chats_username",
            "account_id",
            sql("lower(username)"),
            postgresql_where=sql("username IS NOT NULL"),
        ),
        Index(
            "ix_messenger_chats_user_id",
            "account_id",
            "user_id",
            postgresql_where=sql("user_id IS NOT NULL"),
        ),
    )

    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    thread: Mapped[str]
    kind: Mapped[str] = mapped_column(server_default="user")  # user | group | channel
    name: Mapped[str | None]
    phone: Mapped[str | None]
    username: Mapped[str | None]
    user_id: Mapped[
        str | None
    ]  # the id that WhatsApp gives a person for this business, beside or without a phone
    unread: Mapped[int] = mapped_column(server_default="0")
    last_at: Mapped[datetime | None]
    last_item: Mapped[UUID | None]
    last_incoming_at: Mapped[datetime | None]  # NULL: nothing has come in since this is stored
    closed_at: Mapped[datetime | None]  # NULL: open. An incoming message opens the chat again
    whole: Mapped[bool] = mapped_column(server_default="false")  # all older messages are stored as well


class ChatMessage(Identified, Base):
    """A message in a chat, of either direction. Its id is the `item` of Area C.

    The row of an outgoing message is written before it is sent (`pending`), so `item` is stable from the start;
    `provider_id` follows. Messages that come in, or from another device, are identified by `provider_id`.
    """

    __tablename__ = "messenger_messages"
    __table_args__ = (
        enum_check("status", ChatMessageStatus),
        Index("ix_messenger_messages_chat", "chat_id", "at", "seq"),
        # Messages that a read receipt "up to here" may concern.
        Index(
            "ix_messenger_messages_unseen",
            "chat_id",
            "at",
            "seq",
            postgresql_where=sql(
                "outgoing AND provider_id IS NOT NULL AND status IN ('server', 'delivered')"
            ),
        ),
        # Messages that were sent and never confirmed.
        Index(
            "ix_messenger_messages_pending",
            "created_at",
            postgresql_where=sql("outgoing AND status = 'pending'"),
        ),
        # Not partial, so that it also finds the rows of an account that is deleted.
        Index("uq_messenger_messages_provider_id", "account_id", "thread", "provider_id", unique=True),
        # Telegram reports deleted messages by their ids alone. Ids of other messengers are longer.
        Index(
            "ix_messenger_messages_short_id",
            "account_id",
            "provider_id",
            postgresql_where=sql("length(provider_id) <= 10"),
        ),
        Index(
            "uq_messenger_messages_key",
            "account_id",
            "key",
            unique=True,
            postgresql_where=sql("key IS NOT NULL"),
        ),
        # Each word stands behind its account and period. Without `fastupdate` no search reads what others have written.
        Index(
            "ix_messenger_messages_words",
            sql("postern_chat_words(account_id, at, text)"),
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
    )

    seq: Mapped[int] = mapped_column(BigInteger, Identity())
    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    chat_id: Mapped[UUID | None] = mapped_column(ForeignKey("messenger_chats.id", ondelete="CASCADE"))
    thread: Mapped[str | None]  # NULL while a message to a phone is pending: the chat is not known yet
    provider_id: Mapped[str | None]
    key: Mapped[str | None]  # the caller's idempotency key, or the record's id
    request_hash: Mapped[
        str | None
    ]  # of the request with that key: a different one with the same key is refused
    record_id: Mapped[
        UUID | None
    ]  # message_records.id or messages.id, of what a project or POST /messages sent
    outgoing: Mapped[bool]
    sender: Mapped[str | None]  # phone, username or the messenger's id
    recipient: Mapped[str | None]
    name: Mapped[str | None]  # of the sender, as the messenger shows it
    text: Mapped[str] = mapped_column(server_default="")
    content: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    details: Mapped[
        dict[str, Any] | None
    ]  # what a press of a button, a form, an order or an advertisement says
    reply_to: Mapped[str | None]  # provider_id of the message it answers
    reactions: Mapped[dict[str, Any]] = mapped_column(
        server_default=sql("'{}'::jsonb")
    )  # sender → {emoji, at}; emoji null: taken back
    status: Mapped[str] = mapped_column(server_default=ChatMessageStatus.pending)
    failure_code: Mapped[str | None]
    failure_reason: Mapped[str | None]
    past: Mapped[bool] = mapped_column(
        server_default="false"
    )  # seen only in the history: no webhook was sent
    at: Mapped[datetime]
    asked_at: Mapped[datetime | None]  # when the messenger was last asked to send it
    edited_at: Mapped[datetime | None]
    deleted_at: Mapped[
        datetime | None
    ]  # when it was deleted at the messenger; the content is deleted here too


class ChatMessagePart(Base):
    """A further part of an outgoing message that the messenger shows as several messages."""

    __tablename__ = "messenger_parts"

    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), primary_key=True
    )
    thread: Mapped[str] = mapped_column(primary_key=True)
    provider_id: Mapped[str] = mapped_column(primary_key=True)
    message_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_messages.id", ondelete="CASCADE"), index=True
    )


class EarlyChatEvent(Base):
    """An event of a message that is not stored yet: a status, a read receipt "up to here", a reaction."""

    __tablename__ = "messenger_early"
    __table_args__ = (Index("ix_messenger_early_key", "account_id", "thread", "provider_id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    thread: Mapped[str]
    provider_id: Mapped[str]
    event: Mapped[dict[str, Any]]
    received_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
