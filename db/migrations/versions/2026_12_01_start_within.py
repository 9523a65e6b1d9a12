"""sending_projects.start_within_seconds: how late a scheduled project may start; the reason of one that was too late."""

from alembic import op

revision = "0038"
down_revision = "0037"

_REASONS = (
    "'no_sender_online', 'balance_used_up', 'tariff_used_up', 'provider_refuses_credentials', 'owner_suspended',"
    " 'recipients_failed', 'recipients_pending', 'window_closed', 'missed_start'"
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(
        "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS start_within_seconds integer DEFAULT 86400 NOT NULL"
    )
    # One row a project: the check looks at each in no time.
    op.execute("ALTER TABLE sending_projects DROP CONSTRAINT IF EXISTS ck_sending_projects_status_reason")
    op.execute(
        "ALTER TABLE sending_projects ADD CONSTRAINT ck_sending_projects_status_reason"
        f" CHECK (status_reason IN ({_REASONS}))"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
