"""Tables click_links and clicks."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, enum_check
from shapes.clicks import ClickMachine


class ClickLink(Base):
    """A target of the links in a project's emails. The id is made of project and target, so each is there once.

    It stays for as long as the project: links of old emails must work when their messages are deleted.
    """

    __tablename__ = "click_links"
    __table_args__ = (
        Index("ix_click_links_project_id_id", "project_id", "id"),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    url: Mapped[str]
    humans: Mapped[int] = mapped_column(BigInteger, server_default="0")  # recipients, each once
    machines: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # recipients, of whom no person clicked
    anonymous: Mapped[int] = mapped_column(BigInteger, server_default="0")  # requests
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Click(Base):
    """A recipient has clicked on a link; deleted with the messages of its project, and with the person."""

    __tablename__ = "clicks"
    __table_args__ = (
        enum_check("machine", ClickMachine),
        Index("ix_clicks_link_id_message_id", "link_id", "message_id"),
        Index("ix_clicks_project_id_message_id", "project_id", "message_id"),
    )

    message_id: Mapped[UUID] = mapped_column(primary_key=True)
    link_id: Mapped[UUID] = mapped_column(ForeignKey("click_links.id", ondelete="CASCADE"), primary_key=True)
    project_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    machine: Mapped[
        str | None
    ]  # NULL: a person; a person's click replaces that of a machine, and not conversely
    at: Mapped[datetime]
