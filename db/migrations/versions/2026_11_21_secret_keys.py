"""secret_keys: since when and until when a key encrypted and signed."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "secret_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("first_used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_secret_keys"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
