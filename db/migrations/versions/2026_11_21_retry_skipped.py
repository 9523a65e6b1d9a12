"""sending_projects.retry_skipped (which skipped messages a retry takes, by their codes) and variable_labels."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0017"
down_revision = "0021"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column(
        "sending_projects",
        sa.Column("retry_skipped", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    )
    op.add_column(
        "sending_projects",
        sa.Column("variable_labels", JSONB(), server_default=sa.text("'{}'"), nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
