"""Columns send_at of messages, which is in the index of the queue too, and last_incoming_at of chats."""

from functools import partial

from alembic import op

from db.migrations.indexes import build, drop
from db.scripts import briefly, run

revision = "0015_messages_anywhere"
down_revision = "0014_invitations"

_COLUMNS = (
    "messages ADD COLUMN IF NOT EXISTS send_at",
    "messenger_chats ADD COLUMN IF NOT EXISTS last_incoming_at",
)


def upgrade() -> None:
    connection = op.get_bind()
    for column in _COLUMNS:
        briefly(connection, partial(run, connection, f"ALTER TABLE {column} timestamptz"))
    build(
        "ix_messages_due_scheduled",
        "messages (channel, due_at) INCLUDE (created_at, send_at) WHERE state = 'queued'",
    )
    drop("ix_messages_due")
    op.execute("ALTER INDEX IF EXISTS ix_messages_due_scheduled RENAME TO ix_messages_due")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
