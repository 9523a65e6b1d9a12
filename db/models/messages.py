"""Tables messages, its counters and claims."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Computed, ForeignKey, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.address_keys import key_of
from db.base import Base, Stamped, enum_check, generations, never_negative
from shapes.messages import STORED_STATES, DeliveryState, Direction, MessageCategory, MessageChannel

STATUS_OF_STATE = (
    "CASE state WHEN 'sending' THEN 'queued' WHEN 'unknown' THEN 'queued' "
    "WHEN 'canceled' THEN 'failed' ELSE state END"
)


class Message(Stamped, Base):
    """A direct or inbound message. `status` is `state` as the specification shows it."""

    __tablename__ = "messages"
    __table_args__ = (
        enum_check("direction", Direction),
        enum_check("channel", MessageChannel),
        enum_check("category", MessageCategory),
        enum_check("state", STORED_STATES),
        never_negative("price"),
        Index("ix_messages_owner_id_id", "owner_id", "id"),
        Index("ix_messages_account_id_id", "account_id", "id"),
        # The ranges that resolvers/messages/message_ranges.py names.
        Index(
            "ix_messages_outbound",
            "owner_id",
            "state",
            "channel",
            "id",
            postgresql_where=text("direction = 'outbound' AND state <> 'queued' AND state <> 'sending'"),
        ),
        Index(
            "ix_messages_queued",
            "owner_id",
            "channel",
            "id",
            postgresql_where=text("state = 'queued' AND send_at IS NULL"),
        ),
        Index(
            "ix_messages_scheduled",
            "owner_id",
            "channel",
            "id",
            postgresql_where=text("state = 'queued' AND send_at IS NOT NULL"),
        ),
        Index(
            "ix_messages_send_at",
            "owner_id",
            "channel",
            "send_at",
            postgresql_where=text("state = 'queued' AND send_at IS NOT NULL"),
        ),
        Index(
            "ix_messages_inbound",
            "owner_id",
            "channel",
            "id",
            postgresql_where=text("direction = 'inbound'"),
        ),
        Index(
            "ix_messages_failure_code",
            "owner_id",
            "failure_code",
            "id",
            postgresql_where=text("failure_code IS NOT NULL"),
        ),
        Index(
            "ix_messages_due",
            "channel",
            "due_at",
            postgresql_where=text("state = 'queued'"),
            postgresql_include=["created_at", "send_at"],  # since when it waits: it was first due then
        ),
        Index(
            "ix_messages_expires_at",
            "expires_at",
            postgresql_where=text("state = 'queued' AND expires_at IS NOT NULL"),
        ),
        # Who has written to an address: engine/inbound/inbound_messages.py.
        Index(
            "ix_messages_reached",
            "channel",
            text(key_of('"to"')),
            "id",
            postgresql_where=text("direction = 'outbound' AND state IN ('sent', 'delivered')"),
        ),
        Index("ix_messages_owner_id_key_id", "owner_id", text(key_of('"to"')), "id"),
        Index(
            "ix_messages_updated_at",
            "updated_at",
            postgresql_using="brin",
            postgresql_with={"pages_per_range": 16, "autosummarize": "on"},
        ),
        Index("ix_messages_trials", "owner_id", "id", postgresql_where=text("trial")),
        Index("ix_messages_unknown", "id", postgresql_where=text("state = 'unknown'")),
        Index("ix_messages_claim_id", "claim_id", postgresql_where=text("claim_id IS NOT NULL")),
        Index(
            "ix_messages_provider_message_id",
            "provider_message_id",
            postgresql_where=text("provider_message_id IS NOT NULL"),
        ),
        Index("ix_messages_report_id", "report_id", postgresql_where=text("report_id IS NOT NULL")),
        Index(
            "uq_messages_chain_id",
            "chain_id",
            "step",
            unique=True,
            postgresql_where=text("chain_id IS NOT NULL"),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    account_id: Mapped[UUID]  # without a foreign key: postern_keep_account
    direction: Mapped[str]
    channel: Mapped[str]
    category: Mapped[str] = mapped_column(server_default=MessageCategory.transactional)
    trial: Mapped[bool] = mapped_column(server_default=text("false"))  # sent by /test-sending
    state: Mapped[str] = mapped_column(server_default=DeliveryState.queued)
    status: Mapped[str] = mapped_column(Computed(STATUS_OF_STATE, persisted=True))
    to: Mapped[str]
    address_key: Mapped[str | None]  # NULL: the same as `to`
    status_callback: Mapped[str | None]  # the URL that its sender has named for the changes of its status
    callback_id: Mapped[UUID | None]  # the webhook of that URL's host, until it is deleted
    to_given: Mapped[str | None]  # as the caller wrote it, if it was normalised
    sender: Mapped[
        str | None
    ]  # of an inbound message; of an SMS, the name or number; NULL: the channel's own
    from_address: Mapped[str | None]  # of an email; NULL: the channel's own
    body: Mapped[str]
    # SQLAlchemy reserves the attribute `metadata` on models.
    meta: Mapped[dict[str, Any]] = mapped_column("metadata", server_default=text("'{}'::jsonb"))
    price: Mapped[Decimal] = mapped_column(server_default="0")
    price_prefix: Mapped[
        str | None
    ]  # of the price list's row that gave the price; NULL: the tariff's own price
    price_version_id: Mapped[UUID | None]  # the version of that list
    segments: Mapped[int] = mapped_column(server_default="1")
    # The template that its text comes from; NULL: none. Its values are not stored.
    template_id: Mapped[UUID | None]
    template_version: Mapped[int | None]
    template_locale: Mapped[str | None]

    attempts: Mapped[int] = mapped_column(server_default="0")  # dispatches whose failure is known
    due_at: Mapped[datetime] = mapped_column(server_default=func.now())
    send_at: Mapped[datetime | None]  # not dispatched before; NULL: at once
    expires_at: Mapped[datetime | None]  # fails if not dispatched by then; NULL: a day after created_at
    claim_id: Mapped[UUID | None]
    handed_at: Mapped[datetime | None]  # set just before the provider is called; NULL: certainly not sent
    provider: Mapped[str | None]
    provider_message_id: Mapped[str | None]
    report_id: Mapped[str | None]  # the id in its provider's reports; NULL: the same as provider_message_id
    failure_code: Mapped[str | None]
    failure_reason: Mapped[str | None]
    refused: Mapped[bool | None]  # true if it has failed because a provider refused it, else NULL
    # shapes.messages.FailedAttempt: why earlier attempts failed, at most the last 20
    failed_attempts: Mapped[list[Any] | None] = mapped_column(JSONB)
    reported_by: Mapped[
        str | None
    ]  # `hook`: the owner's delivery hook has said `state`; NULL: the way that took it
    way_status: Mapped[str | None]  # what the way that took it says, while `state` is the hook's
    sent_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]  # when the way said so first, of the newest attempt that failed
    bounced_at: Mapped[datetime | None]  # when a report said so first, whatever the state
    complained_at: Mapped[datetime | None]
    # Of a step of a chain; NULL: any other message. Only messages without one are listed and counted.
    chain_id: Mapped[UUID | None]
    # Of a step, 1 to 4; 0: the head of a chain, which is never sent: see db/models/message_chains.py
    step: Mapped[int | None] = mapped_column(SmallInteger)


class MessageCounter(Base):
    """The number of messages by state, updated by a trigger in the transaction that changes the messages.

    There are several rows for each combination (`shard`), so that sessions don't wait for each other. A shard can
    be negative. Shards from 64 are of generations: engine/upkeep/counter_generations.py, whose `_TABLES` names each
    column that is added up, here and in MessageBucket.
    """

    __tablename__ = "message_counters"
    __table_args__ = (generations("message_counters"), {"postgresql_with": {"fillfactor": "50"}})

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    account_id: Mapped[UUID] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)  # direct | inbound | trial
    state: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    stored: Mapped[int] = mapped_column(BigInteger, server_default="0")  # rows that exist
    counted: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # also those that retention has deleted


class MessageFailure(Base):
    """The number of direct messages that failed, by reason; like MessageCounter."""

    __tablename__ = "message_failures"
    __table_args__ = (generations("message_failures"), {"postgresql_with": {"fillfactor": "50"}})

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger, server_default="0")


class MessageBucket(Base):
    """The number of direct messages by event and channel in each quarter of an hour; like MessageCounter."""

    __tablename__ = "message_buckets"
    __table_args__ = (generations("message_buckets"), {"postgresql_with": {"fillfactor": "50"}})

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    bucket: Mapped[datetime] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    queued: Mapped[int] = mapped_column(BigInteger, server_default="0")
    sent: Mapped[int] = mapped_column(BigInteger, server_default="0")
    delivered: Mapped[int] = mapped_column(BigInteger, server_default="0")
    failed: Mapped[int] = mapped_column(BigInteger, server_default="0")
    unknown: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bounced: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complained: Mapped[int] = mapped_column(BigInteger, server_default="0")


class Claim(Base):
    """A worker's claim on a batch of messages. Its id is the fencing token: a worker that lost it can't write."""

    __tablename__ = "claims"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    worker: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(index=True)
