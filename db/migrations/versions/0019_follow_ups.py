"""Projects that follow another one: columns of sending_projects and recipients."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0019_follow_ups"
down_revision = "0018_verifications"

_PROJECTS = """
ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS follows_uuid uuid,
  ADD COLUMN IF NOT EXISTS follow_due_at timestamptz,
  ADD COLUMN IF NOT EXISTS follow_read_to bigint NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS follow_settled_to bigint NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS follow_looked bigint NOT NULL DEFAULT 0;
"""
_RECIPIENTS = "ALTER TABLE recipients ADD COLUMN IF NOT EXISTS follows_message_id uuid;"


def upgrade() -> None:
    connection = op.get_bind()
    for script in (_PROJECTS, _RECIPIENTS):
        briefly(connection, lambda script=script: run(connection, script))
    build(
        "ix_sending_projects_follows_uuid",
        "sending_projects (follows_uuid, id) WHERE follows_uuid IS NOT NULL",
    )
    build(
        "ix_sending_projects_follow_due_at",
        "sending_projects (follow_due_at) WHERE follow_due_at IS NOT NULL",
    )
    build(
        "ix_recipients_follows_message_id",
        "recipients (project_id, follows_message_id) WHERE follows_message_id IS NOT NULL",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
