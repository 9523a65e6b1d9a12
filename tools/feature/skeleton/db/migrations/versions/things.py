"""Table things."""

import sqlalchemy as sa
from alembic import op

revision = "REVISION"
down_revision = "BEFORE"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "things",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_things_owner_id"),
        sa.PrimaryKeyConstraint("id", name="pk_things"),
    )
    op.create_index("ix_things_owner_id_id", "things", ["owner_id", "id"])


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
