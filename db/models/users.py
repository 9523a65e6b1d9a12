"""Tables users, sessions, refresh_tokens, password_resets, user_undos, user_notices, api_tokens, api_token_spend,
api_token_messages.
"""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.users import UserStatus


class User(Stamped, Base):
    """A user, with login address, roles and tariff."""

    __tablename__ = "users"
    __table_args__ = (enum_check("status", UserStatus),)

    email: Mapped[str] = mapped_column(unique=True)  # lower case, NFC
    display_name: Mapped[str] = mapped_column(server_default="")
    locale: Mapped[str | None]
    self_service: Mapped[list[str]] = mapped_column(
        server_default=text("'{}'::text[]")
    )  # of shapes/self_service.py
    status: Mapped[str] = mapped_column(server_default=UserStatus.active)
    roles: Mapped[list[str]]
    password_hash: Mapped[str | None]
    invitation_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    invitation_expires_at: Mapped[datetime | None]
    token_version: Mapped[int] = mapped_column(server_default="1")  # `ver` of every access token
    tariff_code: Mapped[str] = mapped_column(ForeignKey("tariffs.code"), server_default="default")


class Session(Identified, Base):
    """A family of refresh tokens: one login, until it is revoked."""

    __tablename__ = "sessions"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    user_agent: Mapped[str | None]
    # Set for a login that an API token was exchanged for: it ends when the token does.
    api_token_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("api_tokens.id", ondelete="CASCADE"), index=True
    )
    second_factor_at: Mapped[datetime | None]  # when a code of the second factor was last given
    revoked_at: Mapped[datetime | None]
    revoked_reason: Mapped[str | None]


class RefreshToken(Identified, Base):
    """One refresh token of a session; a used one has a successor."""

    __tablename__ = "refresh_tokens"

    session_id: Mapped[UUID] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"), index=True)
    parent_id: Mapped[UUID | None]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]


class PasswordReset(Identified, Base):
    """A request for a new password by mail. One of an address that nobody has is a row, too, without a user."""

    __tablename__ = "password_resets"

    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_version: Mapped[int | None]  # of the user at that time: whatever ends all logins ends the link, too
    expires_at: Mapped[datetime] = mapped_column(index=True)
    attempts: Mapped[int] = mapped_column(server_default="0")
    tried_at: Mapped[datetime | None]
    sent_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]


class UserUndo(Identified, Base):
    """The address that a user had before a change of the email or the own deletion. It is kept until `expires_at`, and
    a link to it undoes the change.
    """

    __tablename__ = "user_undos"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    email: Mapped[str] = mapped_column(index=True)
    since: Mapped[datetime]  # the first change: the undoing ends what was made from then on
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]
    is_deletion: Mapped[bool] = mapped_column(server_default=text("false"))


class UserNotice(Identified, Base):
    """A mail that tells a user of a change, or with `approval_id` that a plan waits for a decision, or
    with `statement_id` that an account has a statement.

    `undo_id` is a row of user_undos; NULL: an administrator has made the change. With `invitation` the mail invites:
    the user itself, or the person with this email to act for the user.
    """

    __tablename__ = "user_notices"
    __table_args__ = (CheckConstraint("invitation IN ('user', 'member')", name="invitation"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    email: Mapped[str]
    changes: Mapped[list[str]]
    undo_id: Mapped[UUID | None]
    approval_id: Mapped[UUID | None]
    invitation: Mapped[str | None]
    invited_by: Mapped[UUID | None]
    statement_id: Mapped[UUID | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    tried_at: Mapped[datetime | None]
    sent_at: Mapped[datetime | None]


class ApiToken(Identified, Base):
    """A long-lived credential of a user."""

    __tablename__ = "api_tokens"
    __table_args__ = (
        Index("ix_api_tokens_user_id_id", "user_id", "id"),
        Index("ix_api_tokens_created_by", "created_by", postgresql_where=text("created_by IS NOT NULL")),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    # The member who has made it for the user; it ends with the membership. NULL: it is the user's own.
    created_by: Mapped[UUID | None]
    name: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    hint: Mapped[str]  # the last four characters, so that people can tell them apart
    scopes: Mapped[list[str] | None]  # permissions; NULL: all of the user
    networks: Mapped[list[str] | None]  # CIDR; NULL: all
    account_ids: Mapped[list[UUID] | None] = mapped_column(
        ARRAY(Uuid)
    )  # which it may charge; NULL: all of the user
    spend_per_day: Mapped[Decimal | None]  # of each currency; NULL: no limit
    messages_per_day: Mapped[int | None]  # NULL: no limit
    approval_above: Mapped[int | None]  # recipients of 24 hours; NULL: no limit
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    revoked_reason: Mapped[str | None]
    # All four are written by runtime/viewers/token_use.py, after the request.
    last_used_at: Mapped[datetime | None]
    last_used_ip: Mapped[str | None]
    last_refused_at: Mapped[datetime | None]
    last_refusal: Mapped[str | None]  # the permission that it lacked, or the code of the error


class ApiTokenSpend(Base):
    """The charges of an API token in its last day, if it has a limit for a day."""

    __tablename__ = "api_token_spend"

    token_id: Mapped[UUID] = mapped_column(ForeignKey("api_tokens.id", ondelete="CASCADE"), primary_key=True)
    currency: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date]  # in UTC
    spent: Mapped[Decimal]


class ApiTokenMessages(Base):
    """The number of messages that an API token sent in its last day, if it has a limit of them."""

    __tablename__ = "api_token_messages"

    token_id: Mapped[UUID] = mapped_column(ForeignKey("api_tokens.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date]  # in UTC
    messages: Mapped[int]
