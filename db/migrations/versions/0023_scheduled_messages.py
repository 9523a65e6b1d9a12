"""Indexes of the messages that wait: those that are sent at once, and those that are scheduled."""

from db.migrations.indexes import build

revision = "0023_scheduled_messages"
down_revision = "0022_brands"


def upgrade() -> None:
    build("ix_messages_queued", "messages (owner_id, channel, id) WHERE state = 'queued' AND send_at IS NULL")
    scheduled = "WHERE state = 'queued' AND send_at IS NOT NULL"
    build("ix_messages_scheduled", f"messages (owner_id, channel, id) {scheduled}")
    build("ix_messages_send_at", f"messages (owner_id, channel, send_at) {scheduled}")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
