"""route_breakers: circuit breakers of routes; messages.expires_at: until when a message may be handed over.

No table is rewritten: the column is nullable, and only messages with a shorter time than a day have a value.
"""

import sqlalchemy as sa
from alembic import op

from db.migrations.indexes import build

revision = "0016"
down_revision = "0013"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "route_breakers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pause", sa.Interval(), nullable=False),
        sa.Column("probe_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holder", sa.Uuid(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_route_breakers"),
        if_not_exists=True,  # it was committed before the index, in a run that was broken off
    )
    op.execute("ALTER TABLE messages ADD COLUMN IF NOT EXISTS expires_at timestamptz")
    build("ix_messages_expires_at", "messages (expires_at) WHERE state = 'queued' AND expires_at IS NOT NULL")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
