"""Stores with an export who has started it: the permissions, the API token and the member."""

from alembic import op

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(
        "ALTER TABLE export_links ADD COLUMN IF NOT EXISTS scopes text[],"
        " ADD COLUMN IF NOT EXISTS api_token_id uuid, ADD COLUMN IF NOT EXISTS started_by uuid"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
