"""Table ai_usage."""

from datetime import date
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class AiUsage(Base):
    """Counts the requests that a user has sent to the language model on a day."""

    __tablename__ = "ai_usage"

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    requests: Mapped[int] = mapped_column(server_default="0")
