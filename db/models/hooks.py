"""Tables hook_secrets, hook_events and early_reports."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, LargeBinary, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class HookSecret(Identified, Base):
    """A credential for a user's hooks: an engine signs with it (`secret`, encrypted) or sends it (`key`, hashed)."""

    __tablename__ = "hook_secrets"
    __table_args__ = (
        Index("ix_hook_secrets_user_id_id", "user_id", "id"),
        Index("ix_hook_secrets_created_by", "created_by", postgresql_where=text("created_by IS NOT NULL")),
        Index(
            "ix_hook_secrets_api_token_id", "api_token_id", postgresql_where=text("api_token_id IS NOT NULL")
        ),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str]  # secret | key
    value: Mapped[bytes] = mapped_column(LargeBinary)
    hint: Mapped[str]
    revoked_at: Mapped[datetime | None]
    # The member who has made it for the user, and the API token: it ends with them. NULL: it is the user's own.
    created_by: Mapped[UUID | None]
    api_token_id: Mapped[UUID | None] = mapped_column(ForeignKey("api_tokens.id", ondelete="SET NULL"))
    last_used_at: Mapped[datetime | None]  # written by runtime/viewers/token_use.py, after the request


class HookEvent(Base):
    """An event that was received. The same event is ignored for 72 hours."""

    __tablename__ = "hook_events"

    user_id: Mapped[UUID] = mapped_column(
        primary_key=True
    )  # or the scope of a route: engine/reports/event_keys.py
    event_id: Mapped[str] = mapped_column(primary_key=True)
    received_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class EarlyReport(Base):
    """A report about a message that is not known yet, or that was not handed over."""

    __tablename__ = "early_reports"
    __table_args__ = (Index("ix_early_reports_key", "scope", "key"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    scope: Mapped[str]  # whose bound it counts for: `owner:` and a user's id, or `route:` and a label
    key: Mapped[str]  # the message's id, or the provider's
    event: Mapped[dict[str, Any]]  # status, code, reason, at, and the channel that a route carries
    by_hook: Mapped[bool]  # whether the owner's delivery hook said so, not the way that takes the message
    received_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
