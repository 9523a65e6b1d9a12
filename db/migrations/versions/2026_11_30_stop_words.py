"""A block keeps what stood before a stop word changed it, so that a start word can undo that.

Blocks of stop words from before are not known as such: they stay until somebody removes them.
"""

from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for column, kind in (("stopped_at", "timestamptz"), ("reason_before", "text"), ("scope_before", "text")):
        op.execute(f"ALTER TABLE blocked_phones ADD COLUMN IF NOT EXISTS {column} {kind}")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
