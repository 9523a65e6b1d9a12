"""Table submitted_mails."""

from uuid import UUID

from sqlalchemy import ARRAY, LargeBinary, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class SubmittedMail(Identified, Base):
    """An email that was submitted as a whole, with one message for each of its recipients. It is deleted when all of
    them have left: engine/upkeep.
    """

    __tablename__ = "submitted_mails"

    owner_id: Mapped[UUID] = mapped_column(index=True)
    message_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    content: Mapped[bytes] = mapped_column(LargeBinary)  # lines end in CRLF, dots are not stuffed
