"""recipient_imports.failure_code: why an import failed, for programs."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0011"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column("recipient_imports", sa.Column("failure_code", sa.Text(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
