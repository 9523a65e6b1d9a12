"""A failed delivery holds up its own thread alone: which deliveries are behind one, and indexes that find the others."""

from alembic import op

from db.migrations.indexes import build

revision = "0039"
down_revision = "0038"

_COLUMNS = (
    "behind_failed boolean DEFAULT false NOT NULL",
    "failures smallint DEFAULT 0 NOT NULL",
    "failed_at timestamptz",
)


def upgrade() -> None:
    with (
        op.get_context().autocommit_block()
    ):  # no transaction locks both tables: others lock them in another order
        op.execute("SET lock_timeout = '10s'")
        op.execute("ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS waits_ended_at timestamptz")
        for column in _COLUMNS:
            op.execute(f"ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS {column}")
    op.execute(
        "UPDATE webhook_deliveries SET failed_at = now()"
        " WHERE state = 'waiting' AND next_at IS NOT NULL AND failed_at IS NULL"
    )
    build(
        "ix_webhook_deliveries_ready",
        "webhook_deliveries (webhook_id, seq) WHERE state = 'waiting' AND next_at IS NULL AND NOT behind_failed",
    )
    build(
        "ix_webhook_deliveries_failed",
        "webhook_deliveries (webhook_id, thread) WHERE state = 'waiting' AND next_at IS NOT NULL",
    )
    build(
        "ix_webhook_deliveries_failed_at",
        "webhook_deliveries (webhook_id, failed_at) WHERE state = 'waiting' AND next_at IS NOT NULL",
    )
    build(
        "ix_webhook_deliveries_behind",
        "webhook_deliveries (webhook_id, thread, seq) WHERE state = 'waiting' AND behind_failed",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
