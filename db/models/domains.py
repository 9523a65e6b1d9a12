"""Tables domains and dkim_keys."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.domains import DkimAlgorithm, DkimState, DomainStatus


class Domain(Stamped, Base):
    """A domain from which its owner may send emails, if the record that proves it is in the DNS.

    Two owners may have the same domain: each has a token of its own, and the domain's zone has both.
    """

    __tablename__ = "domains"
    __table_args__ = (
        enum_check("status", DomainStatus),
        Index("uq_domains_name", "owner_id", "name", unique=True),
        Index("ix_domains_list", "owner_id", "id"),
        Index("ix_domains_check_at", "check_at"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]  # in ASCII and lower case
    token: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=DomainStatus.pending)
    records: Mapped[list[Any]] = mapped_column(
        JSONB, server_default=text("'[]'::jsonb")
    )  # as both doors show them
    verified_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]
    lost_at: Mapped[datetime | None]
    check_at: Mapped[datetime] = mapped_column(server_default=text("now()"))  # the next check by a worker
    problem: Mapped[str | None]


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
