"""Tables erasures, erasure_addresses, former_contacts and self_service_requests."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, ForeignKey, Index, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.messages import SPECIFIED
from shapes.persons import ErasureState
from shapes.self_service import SelfService


class Erasure(Stamped, Base):
    """The erasure of a person: how far it is, and afterwards what it has done. It never has an address."""

    __tablename__ = "erasures"
    __table_args__ = (
        enum_check("state", ErasureState),
        Index("ix_erasures_list", "owner_id", "id"),
        Index("ix_erasures_running", "id", postgresql_where=text("state = 'running'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    contact_id: Mapped[UUID | None]
    address_hash: Mapped[str | None]  # of the address that the request has named; NULL: it named the contact
    requested_by: Mapped[UUID | None]
    state: Mapped[str] = mapped_column(server_default=ErasureState.running)
    state_reason: Mapped[str | None]
    step: Mapped[str] = mapped_column(server_default=text("''"))  # of engine/persons/registry.py, done last
    round: Mapped[int] = mapped_column(
        server_default=text("1")
    )  # all tables are read again until a round finds no row
    # Transactions that are older may write rows of the person yet.
    began_xid: Mapped[int] = mapped_column(
        BigInteger, server_default=text("pg_current_xact_id()::text::bigint")
    )
    counts: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    deleted: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))  # files, by name
    not_erased: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    file_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid(as_uuid=True)), server_default=text("'{}'::uuid[]")
    )
    finished_at: Mapped[datetime | None]


class ErasureAddress(Identified, Base):
    """One thing by which a person who is being erased is found. The rows are deleted with the last step."""

    __tablename__ = "erasure_addresses"
    __table_args__ = (
        CheckConstraint("kind IN ('address', 'thread', 'other')", name="kind"),
        Index("ix_erasure_addresses_erasure_id", "erasure_id"),
        Index("ix_erasure_addresses_hash", "owner_id", "address_hash"),
    )

    erasure_id: Mapped[UUID] = mapped_column(ForeignKey("erasures.id", ondelete="CASCADE"))
    owner_id: Mapped[UUID]
    kind: Mapped[str]  # address; thread: a messenger's id of the chat; other: the contact's external id
    address: Mapped[str]
    address_key: Mapped[str | None]  # NULL: the same as `address`
    address_hash: Mapped[str | None]  # of an address: nothing is sent to it meanwhile


class FormerContact(Base):
    """A contact that was deleted, by the hash of an address that it had: so an erasure finds its proof of consent."""

    __tablename__ = "former_contacts"
    __table_args__ = (Index("ix_former_contacts_hash", "owner_id", "address_hash"),)

    contact_id: Mapped[UUID] = mapped_column(primary_key=True)
    address_hash: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID]


class SelfServiceRequest(Identified, Base):
    """A request of a contact for its own data. Its id is that of the message with the link to it."""

    __tablename__ = "self_service_requests"
    __table_args__ = (
        enum_check("kind", SelfService),
        enum_check("channel", SPECIFIED),
        Index("ix_self_service_requests_contact_id", "contact_id"),
        Index("ix_self_service_requests_created_at", "created_at"),
        Index("ix_self_service_requests_export_link_id", "export_link_id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    # NULL: the contact is gone, and an export of its data is deleted in time.
    contact_id: Mapped[UUID | None] = mapped_column(ForeignKey("contacts.id", ondelete="SET NULL"))
    kind: Mapped[str]
    channel: Mapped[str]  # of the message with the link
    address: Mapped[str]
    used_at: Mapped[datetime | None]
    export_link_id: Mapped[UUID | None] = mapped_column(ForeignKey("export_links.id", ondelete="SET NULL"))
