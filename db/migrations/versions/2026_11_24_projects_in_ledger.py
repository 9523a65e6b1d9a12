"""Ledger entries name the project that they were for.

The reference of such an entry is a batch, which is deleted when it is settled. Entries from before name none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # Without a foreign key: an entry stays when its project is purged, and charges do not lock the project's row.
    op.add_column("ledger_entries", sa.Column("project_id", sa.Uuid(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
