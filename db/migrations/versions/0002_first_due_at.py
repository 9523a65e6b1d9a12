"""Since when batches wait, and an index that says it of direct messages.

A batch of a project gains `first_due_at`, which no retry, breaker, rate or window moves. A direct message was first
due when it was accepted, so `ix_messages_due` carries `created_at` beside `due_at`.
"""

from alembic import op
from sqlalchemy import text

from db.migrations.indexes import build, drop
from db.scripts import briefly

revision = "0002_first_due_at"
down_revision = "0091"

_BITE = 200  # batches whose messages are read in one statement
# A batch without queued messages keeps the time of the migration: it is about to be deleted.
_FILL = f"""
WITH bite AS (
  SELECT u.id, first.queued_at FROM (
    SELECT id FROM sending_units WHERE id > CAST(:after AS uuid) ORDER BY id LIMIT {_BITE}
  ) AS u
  CROSS JOIN LATERAL (
    SELECT min(queued_at) AS queued_at FROM message_records
    WHERE unit_id = u.id AND status IN ('queued', 'sending')
  ) AS first
), filled AS (
  UPDATE sending_units AS u SET first_due_at = bite.queued_at FROM bite
  WHERE u.id = bite.id AND bite.queued_at < u.first_due_at
)
SELECT max(CAST(id AS text)) FROM bite
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(
        connection,
        lambda: op.execute(
            "ALTER TABLE sending_units ADD COLUMN IF NOT EXISTS first_due_at timestamptz NOT NULL DEFAULT now()"
        ),
    )
    with op.get_context().autocommit_block():
        after = "00000000-0000-0000-0000-000000000000"
        while after is not None:
            after = connection.execute(text(_FILL), {"after": after}).scalar()
    build("ix_sending_units_project_id_first_due_at", "sending_units (project_id, first_due_at)")
    build(
        "ix_messages_due_since",
        "messages (channel, due_at) INCLUDE (created_at) WHERE state = 'queued'",
    )
    drop("ix_messages_due")
    op.execute("ALTER INDEX IF EXISTS ix_messages_due_since RENAME TO ix_messages_due")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
