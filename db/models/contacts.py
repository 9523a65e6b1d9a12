"""Tables contacts, contact_fields, contact_addresses and contact_merges."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, Computed, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, deferred, mapped_column

from db.address_keys import key_of
from db.base import Base, Identified, Stamped, enum_check
from shapes.contact_fields import ContactFieldType
from shapes.sending_projects import ProjectChannel


class Contact(Stamped, Base):
    """A person whom an owner writes to."""

    __tablename__ = "contacts"
    __table_args__ = (
        Index("uq_contacts_external_id", "owner_id", "external_id", unique=True),
        Index("ix_contacts_list", "owner_id", "id"),
        Index("ix_contacts_name", "owner_id", "name", "id"),
        Index("ix_contacts_updated_at", "owner_id", "updated_at", "id"),
        Index("ix_contacts_terms", "terms", postgresql_using="gin"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    external_id: Mapped[str | None]
    name: Mapped[str] = mapped_column(server_default="")
    locale: Mapped[str | None]
    timezone: Mapped[str | None]
    fields: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    terms: Mapped[list[int] | None] = deferred(  # hashes by which contacts are found; see the migration
        mapped_column(
            ARRAY(BigInteger),
            Computed("postern_contact_terms(owner_id, fields, name, locale)", persisted=True),
        )
    )


class ContactField(Stamped, Base):
    """A typed field of an owner's contacts."""

    __tablename__ = "contact_fields"
    __table_args__ = (
        enum_check("type", ContactFieldType),
        Index("uq_contact_fields_key", "owner_id", "key", unique=True),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    key: Mapped[str]
    type: Mapped[str]
    label: Mapped[str | None]
    pattern: Mapped[str | None]


class ContactAddress(Identified, Base):
    """An address of a contact. One contact of an owner has it."""

    __tablename__ = "contact_addresses"
    __table_args__ = (
        enum_check("channel", ProjectChannel),
        Index("uq_contact_addresses_key", "owner_id", "channel", text(key_of("address")), unique=True),
        Index("ix_contact_addresses_key", "owner_id", text(key_of("address"))),
        Index("ix_contact_addresses_contact_id", "contact_id", "channel"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    contact_id: Mapped[UUID] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
    channel: Mapped[str]
    address: Mapped[str]  # in its one spelling
    address_key: Mapped[str | None]  # NULL: the same as `address`
    primary: Mapped[bool] = mapped_column(server_default=text("false"))
    verified_at: Mapped[datetime | None]


class ContactMerge(Base):
    """The contact that another one, which is gone, was merged into, so that merging again is no error."""

    __tablename__ = "contact_merges"
    __table_args__ = (Index("ix_contact_merges_contact_id", "contact_id"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)  # that of the contact that is gone
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    contact_id: Mapped[UUID] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
