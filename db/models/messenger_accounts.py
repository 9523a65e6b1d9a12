"""messenger_accounts, messenger_holds."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, one_of
from schema.types.messenger_accounts import AccountState, MessengerDriver, MessengerSource


class MessengerAccount(Stamped, Base):
    """A Telegram or WhatsApp account. `wanted` is what its owner asked for, `state` what the driver saw last.

    Only the process that holds the account (`messenger_holds`) writes its state, session and cursor.
    """

    __tablename__ = "messenger_accounts"
    __table_args__ = (
        one_of("source", MessengerSource),
        one_of("driver", MessengerDriver),
        one_of("state", AccountState),
        # A deleted account's name is free again.
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
        # What a process has to hold: engine/messengers/holds.py.
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
    clearing: Mapped[bool] = mapped_column(server_default="false")  # log out and forget, when it is stopped
    state: Mapped[str] = mapped_column(server_default=AccountState.stopped)
    reason: Mapped[str | None]  # a sentence
    reason_code: Mapped[str | None]
    until: Mapped[datetime | None]  # before which the messenger wants no further try
    attempts_left: Mapped[int | None] = mapped_column(SmallInteger)
    state_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]  # when the state was last probed
    phone: Mapped[str | None]  # to log in with a code instead of a QR; digits
    connected_phone: Mapped[str | None]
    me: Mapped[dict[str, Any] | None]
    # Sealed by the vault for `messenger_accounts.<column>:<id>`.
    session_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    credentials_encrypted: Mapped[bytes | None] = mapped_column(
        LargeBinary
    )  # of a driver that has some: JSON
    proxy_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    proxy_shown: Mapped[str | None]  # masked
    cursor: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    deleted_at: Mapped[datetime | None]


class MessengerHold(Base):
    """Which process has the live connection of an account. `fence` grows with every holder, for ever."""

    __tablename__ = "messenger_holds"
    __table_args__ = (
        Index("ix_messenger_holds_holder", "holder"),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), primary_key=True
    )
    holder: Mapped[UUID]  # a process's id of this life; calls for the account go there
    fence: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[datetime]
