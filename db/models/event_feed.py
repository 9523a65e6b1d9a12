"""Tables event_feeds, events, event_inbox and message_events."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, func, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from db.base import Base


class EventFeed(Base):
    """Holds the state of a user's feed. Events are recorded while `recording`; those up to `pruned_position` are
    deleted.

    Its row is locked while events get their positions, so these have no gaps.
    """

    __tablename__ = "event_feeds"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    recording: Mapped[bool] = mapped_column(server_default=text("true"))
    recording_since: Mapped[datetime] = mapped_column(server_default=func.now())
    # Transactions with smaller ids may not have seen the feed; 0: not known yet; NULL: all of them have ended.
    pending_xid: Mapped[int | None] = mapped_column(BigInteger)
    # A random number in every cursor: with another one, all cursors are expired.
    epoch: Mapped[int] = mapped_column(server_default=text("(random() * 2147483647)::integer"))
    last_position: Mapped[int] = mapped_column(BigInteger, server_default="0")  # see `LAST_POSITION`
    pruned_position: Mapped[int] = mapped_column(BigInteger, server_default="0")
    used_at: Mapped[datetime] = mapped_column(
        server_default=func.now()
    )  # when it was last read, to the minute
    nearly_full: Mapped[bool] = mapped_column(server_default=text("false"))  # and an event says so
    signups_capped_at: Mapped[datetime | None]  # when an event last said that the sign-up forms ask no more


class EventFeedProgress(Base):
    """Says when the progress of a user's projects was last recorded.

    It changes each second, and the row of the feed is read by every change that may be an event.
    """

    __tablename__ = "event_feed_progress"

    owner_id: Mapped[UUID] = mapped_column(
        ForeignKey("event_feeds.owner_id", ondelete="CASCADE"), primary_key=True
    )
    progress_at: Mapped[datetime] = mapped_column(server_default=func.now())


class _Recorded:
    """Holds the columns of an event. A trigger writes them in the transaction of the change.

    A row without a type stands for `count` events of messages, which are in `MessageEvents`.
    """

    owner_id: Mapped[UUID]
    id: Mapped[UUID | None] = mapped_column(server_default=text("gen_random_uuid()"))
    type: Mapped[str | None]
    subject: Mapped[str | None]  # what `subject_id` is the id of
    subject_id: Mapped[UUID | None]
    project_id: Mapped[UUID | None]
    account_id: Mapped[UUID | None]
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    data: Mapped[dict[str, Any] | None]
    count: Mapped[int] = mapped_column(server_default="1")


class Event(_Recorded, Base):
    """Holds an event that has a position in its owner's feed, or several from `position` on."""

    __tablename__ = "events"
    __table_args__ = (CheckConstraint("(type IS NULL) = (seq IS NOT NULL)", "seq"),)

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    seq: Mapped[int | None] = mapped_column(BigInteger)  # of MessageEvents


class EventInbox(_Recorded, Base):
    """Holds an event that has no position yet: a transaction with a larger number may have committed before its own."""

    __tablename__ = "event_inbox"
    __table_args__ = (
        # Its rows are deleted within seconds, and readers begin at the oldest.
        {"postgresql_with": {"autovacuum_vacuum_scale_factor": "0", "autovacuum_vacuum_threshold": "10000"}},
    )

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)


class _EventArray(UserDefinedType[Any]):
    """An array of the database's composite type `message_event`, which only SQL reads."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "message_event[]"


class MessageEvents(Base):
    """Holds the events that a statement has recorded of messages, at most a hundred (engine/feed/stored_events.py).

    They are written once: the inbox, and later `events`, has a row that names this one by its number.
    """

    __tablename__ = "message_events"

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)  # of the inbox
    id: Mapped[UUID] = mapped_column(
        server_default=text("gen_random_uuid()")
    )  # its events' ids begin with it
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    subject: Mapped[str]
    events: Mapped[Any] = mapped_column(_EventArray())  # NULL: of a person who is erased
