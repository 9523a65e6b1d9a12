"""Tables installation and journal_entries."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Identity, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, enum_check
from shapes.restores import FenceReason


class Installation(Base):
    """The only row: what tells a database that goes on from one that was restored (engine/restore/fence.py).

    The first process writes it, never a migration: a template must not have it.
    """

    __tablename__ = "installation"
    __table_args__ = (
        CheckConstraint("single", name="single"),
        enum_check("fence_reason", FenceReason),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    single: Mapped[bool] = mapped_column(Boolean, primary_key=True, server_default=text("true"))
    id: Mapped[UUID]
    beat: Mapped[int] = mapped_column(BigInteger, server_default="0")  # grows while a worker runs
    beat_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # What a restored row does not have any more: its database, its table, and the transaction that has written it.
    database_oid: Mapped[int] = mapped_column(BigInteger)
    table_oid: Mapped[int] = mapped_column(BigInteger)
    written_by: Mapped[str]
    fenced_at: Mapped[datetime | None]  # no worker sends until `postern resume`
    fence_reason: Mapped[str | None]
    data_at: Mapped[datetime | None]  # the last beat in the restored data
    lost_seconds: Mapped[float | None]  # from then to the last beat that is known; NULL: not known
    failed_over_at: Mapped[datetime | None]  # when a shorter tail was last missing
    failover_lost_seconds: Mapped[float | None]
    next_id: Mapped[UUID | None]  # of a copy, while it is resumed
    journal_position: Mapped[int] = mapped_column(BigInteger, server_default="0")  # the last segment
    journal_behind: Mapped[bool] = mapped_column(server_default=text("false"))  # there may be later segments
    resumed_at: Mapped[datetime | None]
    resumed_as: Mapped[str | None]


class JournalEntry(Base):
    """An erasure or a withdrawal that is not yet in the journal outside the database (engine/restore/journal.py).

    Triggers write the rows, and a round deletes them. They have no address: a block is read by its id.
    """

    __tablename__ = "journal_entries"
    __table_args__ = (
        CheckConstraint("kind IN ('withdrawal', 'block', 'erasure', 'erased_address')", name="kind"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    owner_id: Mapped[UUID]
    row_id: Mapped[UUID | None]  # of the contact, or of the block
    topic_id: Mapped[UUID | None]
    channel: Mapped[str | None]
    hash: Mapped[str | None]  # of an erased address, by engine/address_hashes.py
    at: Mapped[datetime] = mapped_column(server_default=func.now())
