"""sending_projects.retry_failed: which failed messages a retry takes, by their codes; null takes all."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.add_column("sending_projects", sa.Column("retry_failed", sa.ARRAY(sa.Text()), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
