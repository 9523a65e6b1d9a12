"""The id in a provider's delivery reports has a column of its own where it differs from the one in the provider's answer.

So the answer's id is stored, and shown, as it came. In messages from before, `provider_message_id` is the id in the
reports.
"""

from alembic import op

from db.migrations import indexes

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    with (
        op.get_context().autocommit_block()
    ):  # no transaction locks both tables: others lock them in another order
        op.execute("SET lock_timeout = '10s'")
        for table in ("messages", "message_records"):
            op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS report_id text")
    for table in ("messages", "message_records"):
        indexes.build(f"ix_{table}_report_id", f"{table} (report_id) WHERE report_id IS NOT NULL")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
