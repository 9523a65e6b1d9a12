"""The position up to which a mailbox of returned mails has been read (engine/mail_reports/mailbox.py).

And blocks: the trigger that gives blocks of the release before the keys of their addresses is planned anew for each
email. A session that had planned it while the table was empty read the whole table, or all blocks of the owner, for
each email of a list, which took minutes for thousands.

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
    op.execute("ALTER FUNCTION postern_key_block() SET plan_cache_mode = force_custom_plan")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
