"""messenger_webhooks, messenger_events, messenger_deliveries."""

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
    """An address that is told what happens to an account. One retry clock each: `failures` and `next_at`."""

    __tablename__ = "messenger_webhooks"
    __table_args__ = (UniqueConstraint("account_id", "url"), {"postgresql_with": {"fillfactor": "50"}})

    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    url: Mapped[str]
    events: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))  # none: all of them
    secret_encrypted: Mapped[bytes] = mapped_column(LargeBinary)  # for `messenger_webhooks.secret:<id>`
    # After a rotation both sign, until then.
    old_secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    old_secret_until: Mapped[datetime | None]
    enabled: Mapped[bool] = mapped_column(server_default="true")
    disabled_reason: Mapped[str | None]
    failures: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # in a row
    next_at: Mapped[datetime | None]  # no try before; NULL: nothing failed
    last_error: Mapped[str | None]
    last_status: Mapped[int | None] = mapped_column(SmallInteger)
    delivered_at: Mapped[datetime | None]
    # Whoever delivers. `version` grows with what he must know anew, `wakes` with what he might have overlooked.
    claim_id: Mapped[UUID | None]
    claimed_until: Mapped[datetime | None]
    visited_at: Mapped[datetime | None]  # claimed last: of those that wait for a place, who waits longest
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")
    wakes: Mapped[int] = mapped_column(BigInteger, server_default="0")
    quiet_until: Mapped[datetime | None]  # only single events wait for their time: nobody looks before


class WebhookEvent(Base):
    """What happened, as it is told: the outbox. Written in the transaction of what happened."""

    __tablename__ = "messenger_events"

    id: Mapped[UUID] = mapped_column(primary_key=True)  # the event's own id, as receivers see it
    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), index=True
    )
    type: Mapped[str]
    body: Mapped[str]  # as it is signed and posted: JSON
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class WebhookDelivery(Base):
    """One event for one address; gone when it was taken, kept when it is dead."""

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
    thread: Mapped[str] = mapped_column(server_default="")  # of one they go out in order
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    next_at: Mapped[datetime | None]  # it failed: its thread waits so long at least
    last_error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())  # since when it waits
    dead: Mapped[bool] = mapped_column(server_default="false")
    dead_at: Mapped[datetime | None]
