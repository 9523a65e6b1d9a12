"""A BRIN index of message_records.queued_at, for lists of a project's messages by the time when they were queued.

It points to pages, and is written when a page range is full, so sending costs what it did.
"""

from alembic import op

from db.migrations.indexes import build

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    brin = "USING brin (queued_at) WITH (pages_per_range = 16, autosummarize = on)"
    build("ix_message_records_queued_at", f"message_records {brin}")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
