"""Tables leases and fair_shares."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class Lease(Base):
    """Names the process that does a task which only one process may do at a time; see runtime/leases.py."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[UUID]
    expires_at: Mapped[datetime]
    # Whose work it is, where owners have shares of it (engine/jobs/fair_queue.py).
    owner_id: Mapped[UUID | None]


class FairShare(Base):
    """Says when a piece of an owner's work was taken last, and which (engine/jobs/fair_queue.py)."""

    __tablename__ = "fair_shares"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    job_group: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    taken_at: Mapped[datetime]
    last_id: Mapped[UUID]
