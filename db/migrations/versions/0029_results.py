"""Stores when a recipient unsubscribed by a message of a project, and indexes the messages with such reactions."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0029_results"
down_revision = "0028_template_source"

_COLUMN = "ALTER TABLE message_records ADD COLUMN IF NOT EXISTS unsubscribed_at timestamptz;"
_REACTIONS = "COALESCE(replied_at, bounced_at, complained_at, unsubscribed_at) IS NOT NULL"


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _COLUMN))
    build("ix_message_records_unsubscribed", "message_records (project_id) WHERE unsubscribed_at IS NOT NULL")
    build("ix_message_records_reactions", f"message_records (project_id, seq) WHERE {_REACTIONS}")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
