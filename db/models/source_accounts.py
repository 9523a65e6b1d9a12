"""Table source_accounts."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.source_accounts import SenderStatus


class SourceAccount(Stamped, Base):
    """A sender identity. Its token is encrypted; its hash distinguishes two with the same login."""

    __tablename__ = "source_accounts"
    __table_args__ = (
        enum_check("status", SenderStatus),
        UniqueConstraint("owner_id", "source", "login", "token_hash"),
        Index("ix_source_accounts_owner_id_id", "owner_id", "id"),
        Index("ix_source_accounts_owner_id_name_id", "owner_id", "name", "id"),
        Index(
            "ix_source_accounts_messenger_account_uuid",
            "messenger_account_uuid",
            postgresql_where=text("messenger_account_uuid IS NOT NULL"),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    source: Mapped[str]
    login: Mapped[str]
    name: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=SenderStatus.connected)
    status_at: Mapped[datetime | None]  # the time of the event that set `status`; older events are ignored
    messenger_account_uuid: Mapped[UUID | None]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    # Encrypted by the vault, with `source_accounts.token:<id>` as context; empty if the account is deleted.
    token_encrypted: Mapped[bytes] = mapped_column(LargeBinary)
    token_hint: Mapped[str]
