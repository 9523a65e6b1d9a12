"""leases."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class Lease(Base):
    """Who does now what only one may do; see engine/leases.py."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[UUID]
    expires_at: Mapped[datetime]
