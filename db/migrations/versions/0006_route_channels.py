"""The kind of messages of a route that an administrator has made: until now all were for SMS."""

from alembic import op

from db.scripts import briefly

revision = "0006_route_channels"
down_revision = "0005_token_messages"


def upgrade() -> None:
    briefly(
        op.get_bind(),
        lambda: op.execute("ALTER TABLE routes ADD COLUMN IF NOT EXISTS channel text NOT NULL DEFAULT 'sms'"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
