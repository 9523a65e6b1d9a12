"""early_reports: all reports about messages that are not known yet, of engines and of channels, in one table.

Processes of the release before go on with early_receipts and early_events meanwhile. Workers of this one move what is
left there.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "early_reports",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("event", postgresql.JSONB(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_early_reports"),
        if_not_exists=True,
    )
    op.create_index("ix_early_reports_key", "early_reports", ["scope", "key"], if_not_exists=True)
    op.create_index("ix_early_reports_received_at", "early_reports", ["received_at"], if_not_exists=True)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
