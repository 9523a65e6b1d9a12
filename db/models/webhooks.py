"""Tables webhooks, webhook_deliveries and callback_secrets."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class Webhook(Stamped, Base):
    """A URL that receives events: those of a messenger account, or those of its owner's event feed; or a host that
    receives status callbacks, each at a URL of its own.

    It waits as a whole, until `next_at`, after too many `failures` in a row, or if it asked for a pause.
    """

    __tablename__ = "webhooks"
    __table_args__ = (
        UniqueConstraint("account_id", "url"),
        Index("ix_webhooks_owner_id", "owner_id"),
        Index("ix_webhooks_feed", "owner_id", postgresql_where=text("account_id IS NULL")),
        Index("ix_webhooks_callbacks", "owner_id", "url", postgresql_where=text("is_callback")),
        Index("ix_webhooks_saved_by", "saved_by", postgresql_where=text("saved_by IS NOT NULL")),
        Index("ix_webhooks_api_token_id", "api_token_id", postgresql_where=text("api_token_id IS NOT NULL")),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    # The messenger account; NULL: it receives the events of the owner's feed, or status callbacks.
    account_id: Mapped[UUID | None] = mapped_column(ForeignKey("messenger_accounts.id", ondelete="CASCADE"))
    url: Mapped[str]
    events: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))  # types; none: all of them
    # For `messenger_webhooks.secret:<id>`; NULL: it is that of the owner's status callbacks.
    secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    # After a rotation both secrets sign until this time.
    old_secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    old_secret_until: Mapped[datetime | None]
    enabled: Mapped[bool] = mapped_column(server_default="true")
    disabled_reason: Mapped[str | None]
    failures: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # failed requests in a row
    next_at: Mapped[datetime | None]  # no attempt before this time; NULL: it does not wait
    waits_ended_at: Mapped[
        datetime | None
    ]  # what failed before this time is tried at once, whatever its own `next_at`
    last_error: Mapped[str | None]
    last_status: Mapped[int | None] = mapped_column(SmallInteger)
    delivered_at: Mapped[datetime | None]
    # The process that delivers. `version` grows with changes that it must read, `wakes` with new work for it.
    claim_id: Mapped[UUID | None]
    claimed_until: Mapped[datetime | None]
    visited_at: Mapped[datetime | None]  # when it was last claimed: the longest wait is served first
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")
    wakes: Mapped[int] = mapped_column(BigInteger, server_default="0")
    quiet_until: Mapped[datetime | None]  # nothing is due before this time, so the webhook is not claimed
    # A host of status callbacks: `url` is its origin. It is deleted after this time, when nothing is left for it.
    is_callback: Mapped[bool] = mapped_column(server_default=text("false"))
    used_until: Mapped[datetime | None]
    # What follows is of webhooks of a feed. The events behind `position` have no deliveries yet.
    position: Mapped[int] = mapped_column(BigInteger, server_default="0")
    missed: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # events that were deleted before their turn
    sending_project_uuid: Mapped[UUID | None]
    paying_account_id: Mapped[UUID | None]  # an account that pays
    messenger_account_uuid: Mapped[UUID | None]
    fill_after: Mapped[datetime | None]  # no deliveries are made of the feed before this time
    document_failures: Mapped[int] = mapped_column(SmallInteger, server_default="0")  # in a row
    paused: Mapped[bool] = mapped_column(
        server_default=text("false")
    )  # disabled, because its query is not valid any more
    batch: Mapped[int] = mapped_column(SmallInteger, server_default="1")  # events of one request at most
    query: Mapped[str | None]  # the GraphQL document that makes the body
    query_roles: Mapped[list[str]] = mapped_column(
        server_default=text("'{}'::text[]")
    )  # of who has saved the query
    # The member who has saved the address or the query for the owner, and the permissions that they had then.
    saved_by: Mapped[UUID | None]
    query_scopes: Mapped[list[str] | None]
    # The API token that has saved the address or the query: the webhook ends with it, and may what it may now.
    api_token_id: Mapped[UUID | None] = mapped_column(ForeignKey("api_tokens.id", ondelete="SET NULL"))
    # A replay: the events behind `replay_position`, up to `replay_to`, get deliveries again.
    replay_position: Mapped[int | None] = mapped_column(BigInteger)
    replay_to: Mapped[int | None] = mapped_column(BigInteger)
    replay_since: Mapped[datetime | None]
    replay_until: Mapped[datetime | None]
    replay_events: Mapped[list[str] | None]


class WebhookDelivery(Base):
    """One event for one webhook: the outbox. It waits, then it is delivered or dead.

    Of delivered ones only the newest are kept, and of a busy webhook not all of these.
    """

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'delivered', 'dead')", name="state"),
        Index("ix_webhook_deliveries_thread", "thread", "seq"),
        Index("ix_webhook_deliveries_place", "webhook_id", "state", "seq"),
        Index("ix_webhook_deliveries_waiting", "webhook_id", postgresql_where=text("state = 'waiting'")),
        Index(
            "ix_webhook_deliveries_held",
            "webhook_id",
            "next_at",
            postgresql_where=text("next_at IS NOT NULL AND state = 'waiting'"),
        ),
        Index(
            "ix_webhook_deliveries_ready",
            "webhook_id",
            "seq",
            postgresql_where=text("state = 'waiting' AND next_at IS NULL AND NOT behind_failed"),
        ),
        Index(
            "ix_webhook_deliveries_failed",
            "webhook_id",
            "thread",
            postgresql_where=text("state = 'waiting' AND next_at IS NOT NULL"),
        ),
        Index(
            "ix_webhook_deliveries_failed_at",
            "webhook_id",
            "failed_at",
            postgresql_where=text("state = 'waiting' AND next_at IS NOT NULL"),
        ),
        Index(
            "ix_webhook_deliveries_behind",
            "webhook_id",
            "thread",
            "seq",
            postgresql_where=text("state = 'waiting' AND behind_failed"),
        ),
        Index(
            "ix_webhook_deliveries_delivered_at", "delivered_at", postgresql_where=text("state = 'delivered'")
        ),
        Index("ix_webhook_deliveries_dead_at", "dead_at", postgresql_where=text("state = 'dead'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, Identity())
    webhook_id: Mapped[UUID] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[UUID]  # the event's own id, as receivers see it
    url: Mapped[str | None]  # of a status callback; NULL: the webhook's
    type: Mapped[str]
    body: Mapped[str]  # the JSON that is signed and posted
    thread: Mapped[str] = mapped_column(server_default="")  # events of one thread are delivered in order
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    next_at: Mapped[
        datetime | None
    ]  # set after a failure: its thread waits until then at least, and until it succeeds
    failed_at: Mapped[datetime | None]  # its last failure
    # The failures after which `next_at` is computed: none while the endpoint was down or others were in the request.
    failures: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    # An earlier event of its thread has failed. It may be false although one has: the next look finds that out.
    behind_failed: Mapped[bool] = mapped_column(server_default=text("false"))
    last_error: Mapped[str | None]
    last_status: Mapped[int | None] = mapped_column(SmallInteger)
    answer: Mapped[str | None]  # the beginning of the last answer's body
    seconds: Mapped[float | None]  # that the last attempt took
    # The last 20 failed attempts since it was queued: at, status, error, seconds.
    failed_attempts: Mapped[list[Any] | None] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())  # since when it is waiting
    state: Mapped[str] = mapped_column(server_default="waiting")
    dead_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    replayed: Mapped[bool] = mapped_column(server_default=text("false"))  # its body was made anew


class CallbackSecret(Stamped, Base):
    """The secret that signs the status callbacks of an owner's messages. It is made with the first one."""

    __tablename__ = "callback_secrets"

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    secret_encrypted: Mapped[bytes] = mapped_column(LargeBinary)  # for `callback_secrets.secret:<id>`
    # After a rotation both secrets sign until this time.
    old_secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    old_secret_until: Mapped[datetime | None]
