"""The position up to which a mailbox of returned mails has been read (engine/mail_reports/mailbox.py).

And blocks: the trigger that gave them the keys of their addresses is gone. It was for processes of a release long ago,
and looked for each email that was blocked: by a plan from when the table had few rows, so that a list of thousands took
minutes.

Revision ID: 0066
Revises: 0065
"""

from alembic import op

revision = "0066"
down_revision = "0065"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(
        "CREATE TABLE IF NOT EXISTS bounce_mailboxes ("
        " name text NOT NULL, uid_validity bigint NOT NULL, last_uid bigint NOT NULL,"
        " updated_at timestamptz DEFAULT now() NOT NULL, CONSTRAINT pk_bounce_mailboxes PRIMARY KEY (name))"
    )
    op.execute("DROP TRIGGER IF EXISTS key_block ON blocked_phones")
    op.execute("DROP FUNCTION IF EXISTS postern_key_block()")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
