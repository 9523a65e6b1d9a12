"""Tables messenger_webhooks, messenger_events and messenger_deliveries."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class Webhook(Stamped, Base):
    """A URL that receives the events of an account. Each has one retry backoff: `failures` and `next_at`."""

    __tablename__ = "messenger_webhooks"
    __table_args__ = (UniqueConstraint("account_id", "url"), {"postgresql_with": {"fillfactor": "50"}})

    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    url: Mapped[str]
    events: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))  # none: all of them
    secret_encrypted: Mapped[bytes] = mapped_column(LargeBinary)  # for `messenger_webhooks.secret:<id>`
    # After a rotation both secrets sign until this time.
    old_secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    old_secret_until: Mapped[datetime | None]
    enabled: Mapped[bool] = mapped_column(server_default="true")
    disabled_reason: Mapped[str | None]
    failures: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # in a row
    next_at: Mapped[datetime | None]  # no attempt before this time; NULL: nothing has failed
    last_error: Mapped[str | None]
    last_status: Mapped[int | None] = mapped_column(SmallInteger)
    delivered_at: Mapped[datetime | None]
    # The process that delivers. `version` grows with changes that it must read, `wakes` with new work for it.
    claim_id: Mapped[UUID | None]
    claimed_until: Mapped[datetime | None]
    visited_at: Mapped[datetime | None]  # when it was last claimed: the longest wait is served first
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")
    wakes: Mapped[int] = mapped_column(BigInteger, server_default="0")
    quiet_until: Mapped[datetime | None]  # nothing is due before this time, so the webhook is not claimed


class WebhookEvent(Base):
    """An event for webhooks: the outbox, written in the transaction of the change."""

    __tablename__ = "messenger_events"

    id: Mapped[UUID] = mapped_column(primary_key=True)  # the event's own id, as receivers see it
    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), index=True
    )
    type: Mapped[str]
    body: Mapped[str]  # the JSON that is signed and posted
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class WebhookDelivery(Base):
    """One event for one webhook; deleted when it was delivered, kept when it is dead."""

    __tablename__ = "messenger_deliveries"
    __table_args__ = (
        Index("ix_messenger_deliveries_place", "webhook_id", "dead", "seq"),
        Index(
            "ix_messenger_deliveries_held",
            "webhook_id",
            "next_at",
            postgresql_where=text("next_at IS NOT NULL AND NOT dead"),
        ),
        Index("ix_messenger_deliveries_dead_at", "dead_at", postgresql_where=text("dead")),
        Index("ix_messenger_deliveries_event_id", "event_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, Identity())
    webhook_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_events.id", ondelete="CASCADE"))
    thread: Mapped[str] = mapped_column(server_default="")  # events of one thread are delivered in order
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    next_at: Mapped[datetime | None]  # set after a failure: the thread waits until then at least
    last_error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())  # since when it is waiting
    dead: Mapped[bool] = mapped_column(server_default="false")
    dead_at: Mapped[datetime | None]
