"""Table leases."""

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
