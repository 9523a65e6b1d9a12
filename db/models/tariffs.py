"""Tables tariffs and tariff_usage."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class Tariff(Base):
    """The prices of messages, by currency and channel, and the limits of a user."""

    __tablename__ = "tariffs"

    code: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    public: Mapped[bool] = mapped_column(server_default=text("true"))  # users can choose it themselves
    max_concurrent_projects: Mapped[int] = mapped_column(server_default="100")
    max_recipients_per_project: Mapped[int] = mapped_column(server_default="10000000")
    messages_per_day: Mapped[int] = mapped_column(BigInteger, server_default="10000000")
    messages_per_minute: Mapped[int] = mapped_column(server_default="10000000")
    channels: Mapped[list[str]] = mapped_column(
        server_default=text("'{sms,email,push,telegram,whatsapp}'::text[]")
    )
    prices: Mapped[dict[str, Any]]
    price_list_id: Mapped[UUID | None] = mapped_column(ForeignKey("price_lists.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class TariffUsage(Base):
    """The number of project messages that were dispatched for a user on a day (UTC)."""

    __tablename__ = "tariff_usage"

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    messages: Mapped[int] = mapped_column(BigInteger, server_default="0")
    granted: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # to the last request; see engine/tariffs.py
