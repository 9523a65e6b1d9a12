"""Table export_links."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, SmallInteger, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.exports import ExportFormat, ExportStatus


class ExportLink(Stamped, Base):
    """An export: what is exported, how far it is, and its file."""

    __tablename__ = "export_links"
    __table_args__ = (
        enum_check("status", ExportStatus),
        enum_check("format", ExportFormat),
        Index("ix_export_links_owner_id_id", "owner_id", "id"),
        Index(
            "ix_export_links_sending_project_uuid_id",
            "sending_project_uuid",
            "id",
            postgresql_where=text("sending_project_uuid IS NOT NULL"),
        ),
        Index("ix_export_links_file_uuid", "file_uuid", postgresql_where=text("file_uuid IS NOT NULL")),
        Index(
            "ix_export_links_contact",
            text("(filters ->> 'contactUuid')"),
            "id",
            postgresql_where=text("source = 'person'"),
        ),
        Index("ix_export_links_started_by", "started_by", postgresql_where=text("started_by IS NOT NULL")),
        Index(
            "ix_export_links_open",
            "updated_at",
            postgresql_where=text("status IN ('created', 'running')"),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    source: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=ExportStatus.created)
    status_reason: Mapped[str | None]
    format: Mapped[str] = mapped_column(server_default=ExportFormat.csv)
    filters: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    columns: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    sending_project_uuid: Mapped[UUID | None]
    total: Mapped[int] = mapped_column(BigInteger, server_default="0")
    done: Mapped[int] = mapped_column(BigInteger, server_default="0")
    file_uuid: Mapped[UUID | None]
    scopes: Mapped[list[str] | None]  # of the caller who started it; NULL: all that the owner may
    api_token_id: Mapped[UUID | None]  # that started it
    started_by: Mapped[UUID | None]  # the member who started it; NULL: the owner
    claim_id: Mapped[UUID | None]  # of the worker that writes the file
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # workers that began to write it

    @property
    def url(self) -> None:
        """Returns None: the responses of `start` and `handle` have no file yet; `get` signs a link."""
