"""Table installation_choice."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Boolean, CheckConstraint, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, enum_check
from shapes.purposes import Billing


class InstallationChoice(Base):
    """The only row, or none: what an administrator has chosen the installation for, and whether messages cost money.

    It is no column of `installation`, whose row must stay as the first process wrote it (engine/restore/fence.py).
    """

    __tablename__ = "installation_choice"
    __table_args__ = (CheckConstraint("single", name="single"), enum_check("billing", Billing))

    single: Mapped[bool] = mapped_column(Boolean, primary_key=True, server_default=text("true"))
    purposes: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))  # none: all modules
    billing: Mapped[str] = mapped_column(server_default="prepaid")
    billing_since: Mapped[datetime | None]  # when it was last switched
    changed_at: Mapped[datetime | None]
    changed_by: Mapped[UUID | None]  # the administrator, who may be deleted since
