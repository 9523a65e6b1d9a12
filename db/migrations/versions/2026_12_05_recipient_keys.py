"""Recipients that processes of an older release add get their keys, in databases that have run 0035 already."""

from alembic import op

from db.migrations.recipient_keys import create_trigger

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    create_trigger()


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
