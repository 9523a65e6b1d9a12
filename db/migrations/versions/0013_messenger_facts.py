"""Column user_id of messenger_chats, details of messenger_messages, and the restriction of messenger_accounts."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0013_messenger_facts"
down_revision = "0012_report_sets"

_COLUMNS = """
ALTER TABLE messenger_chats ADD COLUMN IF NOT EXISTS user_id text;
ALTER TABLE messenger_messages ADD COLUMN IF NOT EXISTS details jsonb;
ALTER TABLE messenger_accounts ADD COLUMN IF NOT EXISTS restriction text;
ALTER TABLE messenger_accounts ADD COLUMN IF NOT EXISTS restriction_reason text;
ALTER TABLE messenger_accounts ADD COLUMN IF NOT EXISTS restricted_at timestamptz;
ALTER TABLE messenger_accounts ADD COLUMN IF NOT EXISTS restricted_until timestamptz;
"""
# Until now the id of a person without a phone stood in the place of the user name.
_MOVE = r"""
UPDATE messenger_chats SET user_id = username, username = NULL
WHERE username IS NOT NULL AND kind = 'user' AND username ~ '^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$'
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _COLUMNS))
    build("ix_messenger_chats_user_id", "messenger_chats (account_id, user_id) WHERE user_id IS NOT NULL")
    op.execute(_MOVE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
