"""Lists of subscriptions that are not active are read by indexes of their own.

Revision ID: 0084
Revises: 0083
"""

from db.migrations.indexes import build

revision = "0084"
down_revision = "0083"
branch_labels = None
depends_on = None


def upgrade() -> None:
    build(
        "ix_topic_subscriptions_topic_state",
        "topic_subscriptions (topic_id, state, id) WHERE state <> 'active'",
    )
    build(
        "ix_topic_subscriptions_owner_state",
        "topic_subscriptions (owner_id, state, id) WHERE state <> 'active'",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
