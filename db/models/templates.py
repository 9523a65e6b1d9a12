"""Tables templates, template_versions, template_texts and template_words."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Index, Uuid
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.messages import MessageCategory


class Template(Stamped, Base):
    """A text with a key, by which messages, projects and other templates name it."""

    __tablename__ = "templates"
    __table_args__ = (
        enum_check("category", MessageCategory),
        Index("uq_templates_key", "owner_id", "key", unique=True),
        Index("ix_templates_list", "owner_id", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    key: Mapped[str]
    name: Mapped[str]
    category: Mapped[str] = mapped_column(server_default=MessageCategory.transactional)
    version: Mapped[int | None]  # the number of the newest published version
    archived_at: Mapped[datetime | None]


class TemplateVersion(Stamped, Base):
    """A version of a template. It is a draft while it has no number; with one nothing of it changes any more."""

    __tablename__ = "template_versions"
    __table_args__ = (
        Index("uq_template_versions_number", "template_id", "number", unique=True),
        Index("ix_template_versions_list", "owner_id", "id"),
        Index("ix_template_versions_template_id", "template_id", "id"),
        Index(
            "ix_template_versions_attachments",
            "owner_id",
            postgresql_where=sql("attachment_uuids <> '{}'::uuid[]"),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    template_id: Mapped[UUID] = mapped_column(ForeignKey("templates.id", ondelete="CASCADE"))
    number: Mapped[int | None]
    locales: Mapped[list[str]]
    default_locale: Mapped[str]
    layout_key: Mapped[str | None]
    name: Mapped[str | None]
    test_data: Mapped[dict[str, Any]] = mapped_column(server_default=sql("'{}'::jsonb"))
    # The versions that were put into it: [{uuid, key, number}], of a draft without uuid and number.
    parts: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    published_at: Mapped[datetime | None]
    made_by: Mapped[UUID | None]  # who saved it first; NULL: before this was recorded
    saved_by: Mapped[UUID | None]
    published_by: Mapped[UUID | None]
    problems: Mapped[list[Any]] = mapped_column(
        JSONB, server_default=sql("'[]'::jsonb")
    )  # seen when it was published
    attachment_uuids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid(as_uuid=True)), server_default=sql("'{}'")
    )


class TemplateText(Base):
    """The text of a version in one language: as its author wrote it, and as it is sent."""

    __tablename__ = "template_texts"

    version_id: Mapped[UUID] = mapped_column(
        ForeignKey("template_versions.id", ondelete="CASCADE"), primary_key=True
    )
    locale: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID]
    subject: Mapped[str | None]
    preheader: Mapped[str | None]
    text: Mapped[str | None]
    html: Mapped[str | None]
    # The document of the letter builder that `html` was made from.
    source: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    # With layout, partials and preheader; NULL: as the author wrote it.
    sent_text: Mapped[str | None]
    sent_html: Mapped[str | None]
    variable_names: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))
    required_variables: Mapped[list[str]] = mapped_column(server_default=sql("'{}'"))


class TemplateWords(Base):
    """The words by which a template is found: of its key and name, and of its newest version and draft."""

    __tablename__ = "template_words"
    __table_args__ = (
        Index(
            "ix_template_words_words", "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}
        ),
    )

    template_id: Mapped[UUID] = mapped_column(
        ForeignKey("templates.id", ondelete="CASCADE"), primary_key=True
    )
    owner_id: Mapped[UUID]
    words: Mapped[Any] = mapped_column(TSVECTOR)
