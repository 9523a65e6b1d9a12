"""Webhooks for everything that happens: an owner, a position in the event feed, and bodies beside their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_NAMES = (
    ("messenger_webhooks", "webhooks", ("pk_{}", "uq_{}_account_id_url", "fk_{}_account_id")),
    ("messenger_deliveries", "webhook_deliveries", ("pk_{}", "fk_{}_webhook_id")),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for old, new, constraints in _NAMES:
        op.rename_table(old, new)
        for name in constraints:
            op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT {name.format(old)} TO {name.format(new)}")
    _change_deliveries()
    op.drop_table("messenger_events")
    _change_webhooks()
    # At the end, since it locks the users.
    op.create_foreign_key(
        "fk_webhooks_owner_id", "webhooks", "users", ["owner_id"], ["id"], ondelete="CASCADE"
    )


def _change_webhooks() -> None:
    op.add_column("webhooks", sa.Column("owner_id", sa.Uuid()))
    op.execute("""
      UPDATE webhooks SET owner_id = a.owner_id FROM messenger_accounts AS a WHERE a.id = webhooks.account_id
    """)
    op.alter_column("webhooks", "owner_id", nullable=False)
    op.alter_column("webhooks", "account_id", nullable=True)
    op.create_index("ix_webhooks_owner_id", "webhooks", ["owner_id"])
    op.create_index(
        "ix_webhooks_feed", "webhooks", ["owner_id"], postgresql_where=sa.text("account_id IS NULL")
    )
    texts = sa.ARRAY(sa.Text())
    moment = sa.DateTime(timezone=True)
    for column in (
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("missed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sending_project_uuid", sa.Uuid()),
        sa.Column("paying_account_id", sa.Uuid()),
        sa.Column("messenger_account_uuid", sa.Uuid()),
        sa.Column("fill_after", moment),
        sa.Column("document_failures", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("paused", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("batch", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("query", sa.Text()),
        sa.Column("query_roles", texts, server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("replay_position", sa.BigInteger()),
        sa.Column("replay_to", sa.BigInteger()),
        sa.Column("replay_since", moment),
        sa.Column("replay_until", moment),
        sa.Column("replay_events", texts),
    ):
        op.add_column("webhooks", column)


def _change_deliveries() -> None:
    moment = sa.DateTime(timezone=True)
    for column in (
        sa.Column("type", sa.Text()),
        sa.Column("body", sa.Text()),
        sa.Column("last_status", sa.SmallInteger()),
        sa.Column("answer", sa.Text()),
        sa.Column("seconds", sa.Double()),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("delivered_at", moment),
        sa.Column("replayed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    ):
        op.add_column("webhook_deliveries", column)
    op.execute("""
      UPDATE webhook_deliveries AS d SET type = e.type, body = e.body, state = CASE WHEN d.dead THEN 'dead' ELSE 'waiting' END
      FROM messenger_events AS e WHERE e.id = d.event_id
    """)
    op.alter_column("webhook_deliveries", "type", nullable=False)
    op.alter_column("webhook_deliveries", "body", nullable=False)
    op.drop_constraint("fk_messenger_deliveries_event_id", "webhook_deliveries")
    for name in ("dead_at", "event_id", "held", "place"):
        op.drop_index(f"ix_messenger_deliveries_{name}", "webhook_deliveries")
    op.drop_column("webhook_deliveries", "dead")
    op.create_check_constraint(
        "ck_webhook_deliveries_state", "webhook_deliveries", "state IN ('waiting', 'delivered', 'dead')"
    )
    op.create_index("ix_webhook_deliveries_place", "webhook_deliveries", ["webhook_id", "state", "seq"])
    op.create_index(
        "ix_webhook_deliveries_waiting",
        "webhook_deliveries",
        ["webhook_id"],
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "ix_webhook_deliveries_held",
        "webhook_deliveries",
        ["webhook_id", "next_at"],
        postgresql_where=sa.text("next_at IS NOT NULL AND state = 'waiting'"),
    )
    op.create_index(
        "ix_webhook_deliveries_delivered_at",
        "webhook_deliveries",
        ["delivered_at"],
        postgresql_where=sa.text("state = 'delivered'"),
    )
    op.create_index(
        "ix_webhook_deliveries_dead_at",
        "webhook_deliveries",
        ["dead_at"],
        postgresql_where=sa.text("state = 'dead'"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
