"""Table messenger_configs."""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class MessengerConfig(Stamped, Base):
    """A named JSON document of a messenger account; the service itself reads the one named `default`.

    Code that needs `default` calls `engine.messengers.accounts.settings_of(db, account_id)`, which adds the default
    values. A running account reads it again when it is woken and `version` (`updated_at`; None without a row) has
    changed.
    """

    __tablename__ = "messenger_configs"
    __table_args__ = (UniqueConstraint("account_id", "name"),)

    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    name: Mapped[str]
    config: Mapped[dict[str, Any]]
