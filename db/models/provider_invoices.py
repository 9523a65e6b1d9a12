"""Tables provider_invoices and provider_invoice_lines."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, SmallInteger
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.imports import ImportStatus
from shapes.price_lists import PricedChannel
from shapes.provider_invoices import LineVerdict


class ProviderInvoice(Stamped, Base):
    """A provider's invoice: its file, how far it is compared, and the sums."""

    __tablename__ = "provider_invoices"
    __table_args__ = (
        enum_check("status", ImportStatus),
        enum_check("channel", PricedChannel),
        Index("ix_provider_invoices_processing", "updated_at", postgresql_where=sql("status = 'processing'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))  # the administrator whose file it is
    route: Mapped[str]  # as messages have it
    channel: Mapped[str]
    file_uuid: Mapped[UUID]
    period_from: Mapped[datetime]
    period_to: Mapped[datetime]
    currency: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=ImportStatus.processing)
    status_reason: Mapped[str | None]
    options: Mapped[dict[str, Any]]  # mapping, region, time zone, delimiter, encoding, header
    columns: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    mapping: Mapped[dict[str, Any] | None]
    lines: Mapped[int] = mapped_column(server_default="0")
    compared: Mapped[int] = mapped_column(server_default="0")
    sums: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # how often reading was started
    # How far it is: all lines are read; the last line that is compared; the messages made before this time are compared
    # with the lines; the sums are stored.
    is_read: Mapped[bool] = mapped_column(server_default=sql("false"))
    last_line: Mapped[int] = mapped_column(server_default="0")
    made_before: Mapped[datetime | None]
    is_summed: Mapped[bool] = mapped_column(server_default=sql("false"))


class ProviderInvoiceLine(Base):
    """A line of an invoice; below zero are the numbers of messages that no line bills. When an invoice is ready, only
    the differences are left, without phones.
    """

    __tablename__ = "provider_invoice_lines"
    __table_args__ = (
        enum_check("verdict", LineVerdict),
        Index(
            "ix_provider_invoice_lines_message_id",
            "invoice_id",
            "message_id",
            postgresql_where=sql("message_id IS NOT NULL"),
        ),
    )

    invoice_id: Mapped[UUID] = mapped_column(
        ForeignKey("provider_invoices.id", ondelete="CASCADE"), primary_key=True
    )
    line: Mapped[int] = mapped_column(primary_key=True)
    provider_id: Mapped[str | None]
    phone: Mapped[str | None]
    at: Mapped[datetime | None]
    parts: Mapped[int | None]
    price: Mapped[Decimal | None]
    verdict: Mapped[str | None]  # NULL: it is not compared yet
    reason: Mapped[str | None]  # why the line can't be read
    message_id: Mapped[UUID | None]
    sent_parts: Mapped[int | None]
    expected: Mapped[Decimal | None]  # its price by the costs of the route
