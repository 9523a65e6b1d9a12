"""Stores the latest changes of a messenger account's state, with their reasons."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "messenger_state_changes",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("reason_code", sa.Text(), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_state_changes_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_state_changes")),
    )
    op.create_index(
        "ix_messenger_state_changes_account_id_id", "messenger_state_changes", ["account_id", "id"]
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
