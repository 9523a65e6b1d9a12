"""delivery_attempts: the failed attempts of a webhook's delivery, so that people see what its receiver has answered."""

from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS failed_attempts jsonb")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
