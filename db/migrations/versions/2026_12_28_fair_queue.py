"""Owners of leases, and their turns (engine/jobs/fair_queue.py).

Revision ID: 0065
Revises: 0064
"""

from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("ALTER TABLE leases ADD COLUMN IF NOT EXISTS owner_id uuid")
    op.execute(
        "CREATE TABLE IF NOT EXISTS fair_shares ("
        " job_group text NOT NULL, owner_id uuid NOT NULL, taken_at timestamptz NOT NULL, last_id uuid NOT NULL,"
        " CONSTRAINT pk_fair_shares PRIMARY KEY (job_group, owner_id)) WITH (fillfactor = 50)"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
