"""Lists are imported into contacts, too.

Revision ID: 0074
Revises: 0073
"""

from alembic import op

revision = "0074"
down_revision = "0073"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("ALTER TABLE recipient_imports ADD COLUMN IF NOT EXISTS contacts jsonb")
    op.execute("ALTER TABLE recipient_imports ADD COLUMN IF NOT EXISTS contacts_line integer")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
