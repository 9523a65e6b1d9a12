"""Columns invitation and invited_by of user_notices, for invitations that are mailed."""

from alembic import op

from db.scripts import briefly, run

revision = "0014_invitations"
down_revision = "0013_messenger_facts"

_COLUMNS = """
ALTER TABLE user_notices ADD COLUMN IF NOT EXISTS invitation text
    CONSTRAINT ck_user_notices_invitation CHECK (invitation IN ('user', 'member')),
  ADD COLUMN IF NOT EXISTS invited_by uuid;
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _COLUMNS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
