"""sending_units.for_window: what waits for its window, and is due when the window changes."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0010"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column(
        "sending_units", sa.Column("for_window", sa.Boolean(), server_default="false", nullable=False)
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
