"""Creates the emails of people who acted for an owner, by which the audit names them."""

from alembic import op

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS: an installation that was interrupted between two migrations runs them again.
    op.execute(
        "CREATE TABLE IF NOT EXISTS former_members ("
        " owner_id uuid NOT NULL, member_id uuid NOT NULL, email text NOT NULL,"
        " ended_at timestamptz NOT NULL DEFAULT now(),"
        " CONSTRAINT pk_former_members PRIMARY KEY (owner_id, member_id))"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
