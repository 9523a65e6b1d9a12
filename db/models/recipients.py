"""recipients: the audience of a Sending Project."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class Recipient(Identified, Base):
    """One address of a project, normalised; its message has the id UUIDv5(project, recipient)."""

    __tablename__ = "recipients"
    __table_args__ = (
        UniqueConstraint("project_id", "address"),
        Index("ix_recipients_project_id_seq", "project_id", "seq"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    seq: Mapped[int] = mapped_column(BigInteger, Identity())  # the order in which the audience is frozen
    address: Mapped[str]  # E.164, email address, device token, …
    name: Mapped[str | None]
    variables: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    timezone: Mapped[str | None]
