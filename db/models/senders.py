"""Table senders."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, case, exists, literal_column, text
from sqlalchemy.orm import Mapped, column_property, mapped_column

from db.base import Base, Stamped, enum_check
from db.models.domains import Domain
from shapes.domains import GRACE_DAYS
from shapes.messages import SPECIFIED
from shapes.senders import SenderKind, SenderState


class Sender(Stamped, Base):
    """A name, number or address that its owner's messages are sent from.

    An email address has no state of its own: `state` is read with each row, from its domain.
    """

    __tablename__ = "senders"
    __table_args__ = (
        enum_check("channel", SPECIFIED),
        enum_check("kind", SenderKind),
        enum_check("state", SenderState),
        CheckConstraint(
            "(kind = 'email') = (channel = 'email') AND (kind = 'email') = (domain_id IS NOT NULL)"
            " AND (kind = 'email') = (state IS NULL)",
            name="kinds",
        ),
        Index("uq_senders_value", "owner_id", "channel", "value_key", unique=True),
        # Two owners with one name would be taken for each other.
        Index(
            "uq_senders_name",
            "value_key",
            unique=True,
            postgresql_where=text("kind = 'alpha' AND state = 'approved'"),
        ),
        Index("ix_senders_list", "owner_id", "id"),
        Index("ix_senders_value_key", "value_key", "id"),
        Index("ix_senders_domain_id", "domain_id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    channel: Mapped[str]
    kind: Mapped[str]
    value: Mapped[str]
    value_key: Mapped[str]  # engine.sms.senders.key_of
    domain_id: Mapped[UUID | None] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"))
    countries: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))
    decided_state: Mapped[str | None] = mapped_column("state")  # NULL: of an email address
    reason: Mapped[str | None]
    decided_by: Mapped[UUID | None]
    decided_at: Mapped[datetime | None]


def _state() -> Any:
    """Returns the state of a sender; that of an email address is its domain's, as engine/domains/approval.py has it."""
    usable = exists().where(
        Domain.id == Sender.domain_id,
        literal_column(
            "(domains.status = 'verified' OR domains.status = 'lost' AND domains.lost_at > now()"
            f" - interval '{GRACE_DAYS} days')"
        ),
    )
    of_email = case((usable, literal_column("'approved'")), else_=literal_column("'pending'"))
    return case((Sender.kind == literal_column("'email'"), of_email), else_=Sender.decided_state)


STATE: Final = _state()
Sender.state = column_property(STATE)
