"""Column agreed_at of consent_entries."""

from alembic import op

from db.scripts import briefly

revision = "0011_consent_times"
down_revision = "0010_reach_additions"


def upgrade() -> None:
    briefly(
        op.get_bind(),
        lambda: op.execute("ALTER TABLE consent_entries ADD COLUMN IF NOT EXISTS agreed_at timestamptz"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
