"""Tables verifications, verification_codes, verification_days, verification_counters, suspected_groups and
verification_protections.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Index, Integer, SmallInteger, Uuid, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.address_keys import key_of
from db.base import Base, Identified, Stamped, enum_check
from shapes.messages import SPECIFIED
from shapes.pumping import GroupKind
from shapes.verifications import VerificationStatus


class Verification(Identified, Base):
    """A code that was sent to an address, so that a person proves to have it. The code itself is in another table."""

    __tablename__ = "verifications"
    __table_args__ = (
        enum_check("channel", SPECIFIED),
        enum_check("status", VerificationStatus),
        Index("ix_verifications_owner_id_id", "owner_id", "id"),
        Index("ix_verifications_owner_id_status_id", "owner_id", "status", "id"),
        Index("ix_verifications_owner_id_key_id", "owner_id", text(key_of('"to"')), "id"),
        # Starting again sends the same code, so an address has one for each purpose.
        Index(
            "uq_verifications_pending",
            "owner_id",
            "purpose",
            text(key_of('"to"')),
            unique=True,
            postgresql_where=text("status = 'pending'"),
        ),
        Index("ix_verifications_expires_at", "expires_at", postgresql_where=text("status = 'pending'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    account_id: Mapped[UUID]
    token_id: Mapped[UUID | None]  # the API token that has started it, if that has a limit of a day
    channel: Mapped[str]
    to: Mapped[str]
    address_key: Mapped[str | None]
    purpose: Mapped[str]
    locale: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=VerificationStatus.pending.value)
    length: Mapped[int] = mapped_column(SmallInteger)
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # wrong ones
    sends: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    ttl_seconds: Mapped[int]
    body: Mapped[str]  # with a mask where the code stands
    from_address: Mapped[str | None]
    sender: Mapped[str | None]
    chain: Mapped[list[Any] | None] = mapped_column(
        JSONB
    )  # the steps, the first of which is `channel` and `to`
    return_url: Mapped[str | None]  # NULL: it has no page
    country: Mapped[str | None]  # this and `prefix`: of a phone that is protected from pumping
    prefix: Mapped[str | None]
    message_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid(as_uuid=True)), server_default=text("'{}'::uuid[]")
    )
    expires_at: Mapped[datetime]
    resend_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]


class VerificationCode(Base):
    """The code of a verification that is pending. It has no other row: what is settled has no code."""

    __tablename__ = "verification_codes"

    id: Mapped[UUID] = mapped_column(ForeignKey("verifications.id", ondelete="CASCADE"), primary_key=True)
    mac: Mapped[bytes]
    code_encrypted: Mapped[bytes]


class VerificationDay(Base):
    """Counts the messages and the wrong tries of an address and purpose on a day (UTC)."""

    __tablename__ = "verification_days"

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    address_hash: Mapped[bytes] = mapped_column(primary_key=True)  # of the purpose, too
    day: Mapped[date] = mapped_column(primary_key=True)
    sends: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")


class VerificationCounter(Base):
    """Counts the codes to a group of numbers in ten minutes: sent, approved, and not sent on suspicion."""

    __tablename__ = "verification_counters"
    __table_args__ = (enum_check("kind", GroupKind),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime] = mapped_column(primary_key=True)
    started: Mapped[int] = mapped_column(Integer, server_default="0")
    approved: Mapped[int] = mapped_column(Integer, server_default="0")
    suppressed: Mapped[int] = mapped_column(Integer, server_default="0")


class SuspectedGroup(Stamped, Base):
    """A group of numbers to which codes were not sent in an hour, since hardly any of them is approved."""

    __tablename__ = "suspected_groups"
    __table_args__ = (
        enum_check("kind", GroupKind),
        Index("uq_suspected_groups_hour", "owner_id", "kind", "value", "hour", "currency", unique=True),
        Index("ix_suspected_groups_owner_id_id", "owner_id", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str]
    value: Mapped[str]
    country: Mapped[str]
    hour: Mapped[datetime]
    threshold: Mapped[int]
    started: Mapped[int]
    approved: Mapped[int]
    suppressed: Mapped[int] = mapped_column(server_default="1")
    saved: Mapped[Decimal]
    currency: Mapped[str]


class VerificationProtection(Base):
    """Says whether an owner's codes are protected from pumping. No row: they are not."""

    __tablename__ = "verification_protections"

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    enabled: Mapped[bool]
    allowed_prefixes: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
