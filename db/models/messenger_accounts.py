"""Tables messenger_accounts, messenger_holds and messenger_state_changes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.messenger_accounts import AccountState, MessengerDriver, MessengerSource


class MessengerAccount(Stamped, Base):
    """A Telegram or WhatsApp account. `wanted` is the owner's request, `state` what the driver last reported.

    Only the process that has the account's lease (`messenger_holds`) writes state, session and cursor.
    """

    __tablename__ = "messenger_accounts"
    __table_args__ = (
        enum_check("source", MessengerSource),
        enum_check("driver", MessengerDriver),
        enum_check("state", AccountState),
        # The login of a deleted account can be used again.
        Index(
            "uq_messenger_accounts_living",
            "owner_id",
            "source",
            "login",
            unique=True,
            postgresql_where=text("deleted_at IS NULL"),
        ),
        Index("ix_messenger_accounts_owner_id_id", "owner_id", "id"),
        Index("ix_messenger_accounts_owner_id_name_id", "owner_id", "name", "id"),
        # The accounts that a process has to run: engine/messengers/leases.py.
        Index(
            "ix_messenger_accounts_waits",
            "id",
            postgresql_where=text(
                "clearing OR wanted OR state IN ('starting', 'waitQr', 'waitPhone', 'waitCode', 'waitPassword',"
                " 'showCode', 'syncing', 'working', 'reconnecting')"
            ),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    source: Mapped[str]
    login: Mapped[str]
    name: Mapped[str]
    driver: Mapped[str]
    wanted: Mapped[bool] = mapped_column(server_default="false")
    clearing: Mapped[bool] = mapped_column(
        server_default="false"
    )  # log out and purge as soon as it is stopped
    state: Mapped[str] = mapped_column(server_default=AccountState.stopped)
    reason: Mapped[str | None]  # a sentence
    reason_code: Mapped[str | None]
    until: Mapped[datetime | None]  # the messenger asks for no further attempt before this time
    attempts_left: Mapped[int | None] = mapped_column(SmallInteger)
    state_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]  # when the state was last probed
    restriction: Mapped[
        str | None
    ]  # what the messenger does not let a working account do; no restart ends it
    restriction_reason: Mapped[str | None]  # a sentence
    restricted_at: Mapped[datetime | None]
    restricted_until: Mapped[datetime | None]  # as the messenger has named it; NULL: it has not
    phone: Mapped[str | None]  # digits; for a login with a code instead of a QR
    connected_phone: Mapped[str | None]
    me: Mapped[dict[str, Any] | None]
    # Encrypted by the vault, with `messenger_accounts.<column>:<id>` as context.
    session_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    credentials_encrypted: Mapped[bytes | None] = mapped_column(
        LargeBinary
    )  # JSON; NULL if the driver needs none
    proxy_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    proxy_shown: Mapped[str | None]  # masked
    cursor: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    deleted_at: Mapped[datetime | None]


class MessengerLease(Base):
    """Names the process that runs the connection of an account. `fence` grows with every new holder."""

    __tablename__ = "messenger_holds"
    __table_args__ = (
        Index("ix_messenger_holds_holder", "holder"),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), primary_key=True
    )
    holder: Mapped[UUID]  # the id of a running process, which also gets the calls for the account
    fence: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[datetime]


class MessengerStateChange(Identified, Base):
    """A state that an account has entered, and why. The newest ones are kept: engine/messengers/state_history.py."""

    __tablename__ = "messenger_state_changes"
    __table_args__ = (Index("ix_messenger_state_changes_account_id_id", "account_id", "id"),)

    account_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    state: Mapped[str]
    reason: Mapped[str | None]
    reason_code: Mapped[str | None]
    until: Mapped[datetime | None]
