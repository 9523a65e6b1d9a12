"""messenger_messages.past: only history has shown it, so nobody was told."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column(
        "messenger_messages", sa.Column("past", sa.Boolean(), server_default="false", nullable=False)
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
