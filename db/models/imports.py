"""Tables recipient_imports, import_payloads and import_rows."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.imports import ImportStatus


class RecipientImport(Stamped, Base):
    """An import of recipients: its file, its state and its counts."""

    __tablename__ = "recipient_imports"
    __table_args__ = (
        enum_check("status", ImportStatus),
        Index("ix_recipient_imports_owner_id_id", "owner_id", "id"),
        Index(
            "ix_recipient_imports_file_uuid_id",
            "file_uuid",
            "id",
            postgresql_where=sql("file_uuid IS NOT NULL"),
        ),
        Index("ix_recipient_imports_processing", "updated_at", postgresql_where=sql("status = 'processing'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    status: Mapped[str] = mapped_column(server_default=ImportStatus.processing)
    status_reason: Mapped[str | None]
    failure_code: Mapped[str | None]
    file_uuid: Mapped[UUID | None]
    file_name: Mapped[str | None]
    region: Mapped[str]  # of phones that are not written with +
    columns: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    mapping: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'::jsonb"))
    total: Mapped[int] = mapped_column(BigInteger, server_default="0")
    valid: Mapped[int] = mapped_column(BigInteger, server_default="0")
    invalid: Mapped[int] = mapped_column(BigInteger, server_default="0")
    duplicates: Mapped[int] = mapped_column(BigInteger, server_default="0")
    # What the owner specified: mapping, delimiter, encoding, header. The columns above have what was detected.
    options: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'::jsonb"))
    contacts: Mapped[
        dict[str, Any] | None
    ]  # of a list of contacts: its mapping, and what it has added so far
    contacts_line: Mapped[int | None]  # that was added last; NULL: the list is not read to its end
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # how often reading was started


class ImportPayload(Base):
    """A list that was sent in the request itself, until it is read."""

    __tablename__ = "import_payloads"

    import_id: Mapped[UUID] = mapped_column(
        ForeignKey("recipient_imports.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str]  # rows (JSON, one a line) or text
    body: Mapped[bytes] = mapped_column(LargeBinary)


class ImportRow(Base):
    """A line of an import: a recipient, or the error of the line. Its uuid is computed from import and line."""

    __tablename__ = "import_rows"
    __table_args__ = (
        Index("ix_import_rows_errors", "import_id", "line", postgresql_where=sql("error_code IS NOT NULL")),
    )

    import_id: Mapped[UUID] = mapped_column(
        ForeignKey("recipient_imports.id", ondelete="CASCADE"), primary_key=True
    )
    line: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str | None]
    address_key: Mapped[str | None]  # NULL: the same as `address`
    name: Mapped[str | None]
    variables: Mapped[dict[str, Any] | None]
    timezone: Mapped[str | None]
    error_code: Mapped[str | None]
    error_message: Mapped[str | None]
