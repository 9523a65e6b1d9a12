"""Table blocked_phones."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from db.address_keys import key_of
from db.base import Base, Identified, enum_check
from shapes.blocks import BlockReason, BlockScope


class BlockedPhone(Identified, Base):
    """A phone or email address that gets none of its owner's messages, or none of the promotional ones."""

    __tablename__ = "blocked_phones"
    __table_args__ = (
        enum_check("reason", BlockReason),
        enum_check("scope", BlockScope),
        Index("ix_blocked_phones_owner_id_id", "owner_id", "id"),
        Index("uq_blocked_phones_key", "owner_id", text(key_of("phone")), unique=True),
        Index("ix_blocked_phones_reason", "owner_id", "reason", "scope", "id"),
        Index(
            "ix_blocked_phones_erased", "owner_id", "phone", postgresql_where=text("phone LIKE 'erased:%'")
        ),
        Index("ix_blocked_phones_expires_at", "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    phone: Mapped[str]  # as it was given; of an erased person its hash, by engine/address_hashes.py
    address_key: Mapped[str | None]  # NULL: the same as `phone`
    reason: Mapped[str] = mapped_column(server_default=BlockReason.manual)
    scope: Mapped[str] = mapped_column(server_default=BlockScope.all)
    message_id: Mapped[UUID | None]  # the message whose failure alone has made it, but no bounce
    expires_at: Mapped[datetime | None]  # from then on nothing is blocked; NULL: it does not end by itself
    stopped_at: Mapped[datetime | None]  # set by a stop word, until a start word takes it back
    # What stands without the stop word; NULL: no block.
    reason_before: Mapped[str | None]
    scope_before: Mapped[str | None]
