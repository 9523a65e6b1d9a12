"""messenger_parts: later parts of a message that a messenger has as several. An index for deleted messages."""

import sqlalchemy as sa
from alembic import op

from db.migrations.indexes import build

revision = "0014"
down_revision = "0018"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "messenger_parts",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_parts_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["messenger_messages.id"],
            name=op.f("fk_messenger_parts_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "thread", "provider_id", name=op.f("pk_messenger_parts")),
        if_not_exists=True,  # it was committed before the index, in a run that was broken off
    )
    op.create_index(
        op.f("ix_messenger_parts_message_id"), "messenger_parts", ["message_id"], if_not_exists=True
    )
    build(
        "ix_messenger_messages_short_id",
        "messenger_messages (account_id, provider_id) WHERE length(provider_id) <= 10",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
