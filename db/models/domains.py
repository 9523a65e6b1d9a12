"""Table dkim_keys."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.domains import DkimAlgorithm, DkimState


class DkimKey(Identified, Base):
    """A key that signs the emails of a domain, with the selector under which its record is."""

    __tablename__ = "dkim_keys"
    __table_args__ = (
        enum_check("algorithm", DkimAlgorithm),
        enum_check("state", DkimState),
        Index("uq_dkim_keys_selector", "domain", "selector", unique=True),
        Index("ix_dkim_keys_owner_id", "owner_id", "domain"),
    )

    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id"))  # NULL: of the installation
    domain: Mapped[str]  # in ASCII and lower case
    selector: Mapped[str]
    algorithm: Mapped[str]
    key_encrypted: Mapped[bytes]
    public_key: Mapped[str]  # as it is in the record
    state: Mapped[str] = mapped_column(server_default=DkimState.pending)
    state_at: Mapped[datetime]
