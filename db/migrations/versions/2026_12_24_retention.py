"""Adds the time at which the retention has deleted the messages and recipients of a project."""

from alembic import op

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS messages_deleted_at timestamptz")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
