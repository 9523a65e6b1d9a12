"""Tables recipients, the audience of a Sending Project, and recipient_additions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.address_keys import key_of
from db.base import Base, Identified


class Recipient(Identified, Base):
    """One normalised address of a project; its message has the id UUIDv5(project, recipient)."""

    __tablename__ = "recipients"
    __table_args__ = (
        Index("uq_recipients_key", "project_id", text(key_of("address")), unique=True),
        Index("ix_recipients_project_id_seq", "project_id", "seq"),
        Index(
            "ix_recipients_follows_message_id",
            "project_id",
            "follows_message_id",
            postgresql_where=text("follows_message_id IS NOT NULL"),
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    seq: Mapped[int] = mapped_column(
        BigInteger, Identity()
    )  # the order in which the audience is materialized
    address: Mapped[str]  # E.164, email address, device token, …
    address_key: Mapped[str | None]  # NULL: the same as `address`
    name: Mapped[str | None]
    variables: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    timezone: Mapped[str | None]
    contact_id: Mapped[UUID | None]  # of a project with an audience of topics
    is_changed: Mapped[bool] = mapped_column(  # the contact, since the plan was made
        server_default=text("false")
    )
    follows_message_id: Mapped[
        UUID | None
    ]  # the message of the followed project that did not reach the recipient


class RecipientAddition(Identified, Base):
    """An import whose rows are being added to a project; see engine/imports/bulk_add.py."""

    __tablename__ = "recipient_additions"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("sending_projects.id", ondelete="CASCADE"), index=True
    )
    import_id: Mapped[UUID] = mapped_column(ForeignKey("recipient_imports.id"), index=True)
    line: Mapped[int]  # of the import; the rows up to it have been added
    added: Mapped[int]
    rows_left: Mapped[int]  # valid rows that have not been processed
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
