"""Adds what an API token is limited to, and the token that a webhook was made with."""

from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: an installation that was interrupted between two migrations runs them again.
    op.execute("ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS scopes text[]")
    op.execute("ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS networks text[]")
    # The key has its name by the column: with the column it is made once.
    op.execute(
        "ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS api_token_id uuid"
        " CONSTRAINT fk_webhooks_api_token_id REFERENCES api_tokens (id) ON DELETE SET NULL"
    )
    op.execute(
        "CREATE INDEX IF NOT EXISTS ix_webhooks_api_token_id ON webhooks (api_token_id)"
        " WHERE api_token_id IS NOT NULL"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
