"""Adds what an API token is limited to, and the token that a webhook was made with."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column("api_tokens", sa.Column("scopes", ARRAY(sa.Text)))
    op.add_column("api_tokens", sa.Column("networks", ARRAY(sa.Text)))
    op.add_column("webhooks", sa.Column("api_token_id", sa.Uuid))
    op.create_foreign_key(
        "fk_webhooks_api_token_id", "webhooks", "api_tokens", ["api_token_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(
        "ix_webhooks_api_token_id",
        "webhooks",
        ["api_token_id"],
        postgresql_where=sa.text("api_token_id IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
