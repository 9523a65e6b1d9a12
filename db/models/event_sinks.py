"""Tables event_sinks and event_sink_cursors."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class EventSink(Stamped, Base):
    """A broker that the events of a feed are published to: those of its owner's feed, or those of all users."""

    __tablename__ = "event_sinks"
    __table_args__ = (
        CheckConstraint("kind IN ('nats')", name="kind"),
        CheckConstraint("replicas BETWEEN 1 AND 5", name="replicas"),
        CheckConstraint("duplicate_window_seconds > 0", name="window"),
        Index(
            "uq_event_sinks_name",
            text("COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)"),
            "name",
            unique=True,
        ),
        Index("ix_event_sinks_owner_id", "owner_id", "id"),
        Index("ix_event_sinks_saved_by", "saved_by", postgresql_where=text("saved_by IS NOT NULL")),
        Index(
            "ix_event_sinks_api_token_id", "api_token_id", postgresql_where=text("api_token_id IS NOT NULL")
        ),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    # NULL: it publishes the events of the whole installation, and administrators have made it.
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    kind: Mapped[str]
    # The address with its password and the credentials, as JSON, for `event_sinks.url:<id>` of the vault.
    url_encrypted: Mapped[bytes] = mapped_column(LargeBinary)
    url_visible: Mapped[str]  # the address without password and token
    stream: Mapped[str]
    subject: Mapped[str] = mapped_column(server_default="postern.{owner}.{type}")
    make_stream: Mapped[bool] = mapped_column(server_default=text("true"))
    # Of a stream that the sink makes.
    replicas: Mapped[int] = mapped_column(SmallInteger, server_default="3")
    duplicate_window_seconds: Mapped[int] = mapped_column(server_default="120")
    types: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))  # none: all of them
    query: Mapped[str | None]  # the GraphQL document that makes the body
    query_roles: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))  # of who has saved it
    # The member who has saved it for the owner, and the permissions that they had then.
    saved_by: Mapped[UUID | None]
    query_scopes: Mapped[list[str] | None]
    # The API token that has saved it: the sink ends with it, and may what it may now.
    api_token_id: Mapped[UUID | None] = mapped_column(ForeignKey("api_tokens.id", ondelete="SET NULL"))
    enabled: Mapped[bool] = mapped_column(server_default=text("true"))
    disabled_reason: Mapped[str | None]
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")  # grows with what a worker must read
    failures: Mapped[int] = mapped_column(server_default="0")  # failed attempts in a row
    failing_since: Mapped[datetime | None]
    last_error: Mapped[str | None]
    next_at: Mapped[datetime | None]  # nothing is published before this time; NULL: it does not wait
    published_at: Mapped[datetime | None]  # when the broker last acknowledged an event


class EventSinkCursor(Base):
    """Says up to which position of a user's feed a sink has published the events."""

    __tablename__ = "event_sink_cursors"
    __table_args__ = (
        Index("ix_event_sink_cursors_owner_id", "owner_id"),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    sink_id: Mapped[UUID] = mapped_column(ForeignKey("event_sinks.id", ondelete="CASCADE"), primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    epoch: Mapped[int]  # of the feed; with another one the positions are those of another feed
    position: Mapped[int] = mapped_column(BigInteger)  # the broker has acknowledged all events up to it
    published: Mapped[int] = mapped_column(BigInteger, server_default="0")
    missed: Mapped[int] = mapped_column(BigInteger, server_default="0")  # positions deleted before their turn
    rate: Mapped[float] = mapped_column(
        Double, server_default="0"
    )  # events a second, about the last minute's
    # A replay: the events behind `replay_position`, up to `replay_to`, are published again.
    replay_position: Mapped[int | None] = mapped_column(BigInteger)
    replay_to: Mapped[int | None] = mapped_column(BigInteger)
    replay_since: Mapped[datetime | None]
    replay_types: Mapped[list[str] | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
