"""Table route_breakers."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class RouteBreaker(Base):
    """The open circuit breaker of a route; see runtime/breakers.py. A route without a row is closed."""

    __tablename__ = "route_breakers"

    name: Mapped[str] = mapped_column(
        primary_key=True
    )  # such as `sms-2`; `push-1@host` and `account@uuid` have the destination after the "@"
    opened_at: Mapped[datetime]
    pause: Mapped[timedelta]  # until the next probe; doubled after each probe without an answer
    probe_at: Mapped[datetime]
    holder: Mapped[UUID | None]  # the probe that is running, until `expires_at`
    expires_at: Mapped[datetime | None]
