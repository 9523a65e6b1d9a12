"""Messenger accounts: accounts, who holds them, chats, messages, configuration, webhooks and their outbox."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "messenger_accounts",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("driver", sa.Text(), nullable=False),
        sa.Column("wanted", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("clearing", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("state", sa.Text(), server_default="stopped", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("reason_code", sa.Text(), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts_left", sa.SmallInteger(), nullable=True),
        sa.Column("state_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("connected_phone", sa.Text(), nullable=True),
        sa.Column("me", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("session_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("credentials_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("proxy_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("proxy_shown", sa.Text(), nullable=True),
        sa.Column(
            "cursor",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "driver IN ('telegram', 'whatsapp', 'whatsapp-cloud', 'sandbox')",
            name=op.f("ck_messenger_accounts_driver"),
        ),
        sa.CheckConstraint("source IN ('telegram', 'whatsapp')", name=op.f("ck_messenger_accounts_source")),
        sa.CheckConstraint(
            "state IN ('stopped', 'starting', 'waitQr', 'waitPhone', 'waitCode', 'waitPassword', 'showCode', 'syncing', 'working', 'reconnecting', 'failed', 'loggedOut', 'blocked')",
            name=op.f("ck_messenger_accounts_state"),
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_messenger_accounts_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_accounts")),
    )
    op.create_index(
        "ix_messenger_accounts_owner_id_id", "messenger_accounts", ["owner_id", "id"], unique=False
    )
    op.create_index(
        "ix_messenger_accounts_waits",
        "messenger_accounts",
        ["id"],
        unique=False,
        postgresql_where=sa.text(
            "clearing OR wanted OR state IN ('starting', 'waitQr', 'waitPhone', 'waitCode', 'waitPassword',"
            " 'showCode', 'syncing', 'working', 'reconnecting')"
        ),
    )
    op.create_index(
        "uq_messenger_accounts_living",
        "messenger_accounts",
        ["owner_id", "source", "login"],
        unique=True,
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "messenger_chats",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="user", nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("username", sa.Text(), nullable=True),
        sa.Column("unread", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_item", sa.Uuid(), nullable=True),
        sa.Column("whole", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_chats_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_chats")),
        sa.UniqueConstraint("account_id", "thread", name=op.f("uq_messenger_chats_account_id_thread")),
    )
    op.create_index(
        "ix_messenger_chats_recent", "messenger_chats", ["account_id", "last_at", "id"], unique=False
    )
    op.create_table(
        "messenger_configs",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("config", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_configs_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_configs")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_messenger_configs_account_id_name")),
    )
    op.create_table(
        "messenger_early",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("event", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_early_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_early")),
    )
    op.create_index(
        "ix_messenger_early_key", "messenger_early", ["account_id", "thread", "provider_id"], unique=False
    )
    op.create_index(op.f("ix_messenger_early_received_at"), "messenger_early", ["received_at"], unique=False)
    op.create_table(
        "messenger_events",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_events_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_events")),
    )
    op.create_index(op.f("ix_messenger_events_account_id"), "messenger_events", ["account_id"], unique=False)
    op.create_index(op.f("ix_messenger_events_created_at"), "messenger_events", ["created_at"], unique=False)
    op.create_table(
        "messenger_holds",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("holder", sa.Uuid(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_holds_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_messenger_holds")),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_index("ix_messenger_holds_holder", "messenger_holds", ["holder"], unique=False)
    op.create_table(
        "messenger_webhooks",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column(
            "events", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False
        ),
        sa.Column("secret_encrypted", sa.LargeBinary(), nullable=False),
        sa.Column("old_secret_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("old_secret_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("enabled", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("failures", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("last_status", sa.SmallInteger(), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claim_id", sa.Uuid(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("visited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("wakes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("quiet_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_webhooks_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_webhooks")),
        sa.UniqueConstraint("account_id", "url", name=op.f("uq_messenger_webhooks_account_id_url")),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "messenger_deliveries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("thread", sa.Text(), server_default="", nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("dead", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("dead_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["messenger_events.id"],
            name=op.f("fk_messenger_deliveries_event_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["webhook_id"],
            ["messenger_webhooks.id"],
            name=op.f("fk_messenger_deliveries_webhook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_deliveries")),
    )
    op.create_index(
        "ix_messenger_deliveries_dead_at",
        "messenger_deliveries",
        ["dead_at"],
        unique=False,
        postgresql_where=sa.text("dead"),
    )
    op.create_index("ix_messenger_deliveries_event_id", "messenger_deliveries", ["event_id"], unique=False)
    op.create_index(
        "ix_messenger_deliveries_held",
        "messenger_deliveries",
        ["webhook_id", "next_at"],
        unique=False,
        postgresql_where=sa.text("next_at IS NOT NULL AND NOT dead"),
    )
    op.create_index(
        "ix_messenger_deliveries_place", "messenger_deliveries", ["webhook_id", "dead", "seq"], unique=False
    )
    op.create_table(
        "messenger_messages",
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("chat_id", sa.Uuid(), nullable=True),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("provider_id", sa.Text(), nullable=True),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("request_hash", sa.Text(), nullable=True),
        sa.Column("record_id", sa.Uuid(), nullable=True),
        sa.Column("outgoing", sa.Boolean(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("recipient", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "content",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
        ),
        sa.Column("reply_to", sa.Text(), nullable=True),
        sa.Column(
            "reactions",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("failure_code", sa.Text(), nullable=True),
        sa.Column("failure_reason", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('pending', 'server', 'delivered', 'has_seen', 'errored')",
            name=op.f("ck_messenger_messages_status"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["messenger_accounts.id"],
            name=op.f("fk_messenger_messages_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["chat_id"],
            ["messenger_chats.id"],
            name=op.f("fk_messenger_messages_chat_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messenger_messages")),
    )
    op.create_index(
        "ix_messenger_messages_chat", "messenger_messages", ["chat_id", "at", "seq"], unique=False
    )
    op.create_index(
        "ix_messenger_messages_pending",
        "messenger_messages",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("outgoing AND status = 'pending'"),
    )
    op.create_index(
        "ix_messenger_messages_unseen",
        "messenger_messages",
        ["chat_id", "at", "seq"],
        unique=False,
        postgresql_where=sa.text(
            "outgoing AND provider_id IS NOT NULL AND status IN ('server', 'delivered')"
        ),
    )
    op.create_index(
        "uq_messenger_messages_key",
        "messenger_messages",
        ["account_id", "key"],
        unique=True,
        postgresql_where=sa.text("key IS NOT NULL"),
    )
    op.create_index(
        "uq_messenger_messages_provider_id",
        "messenger_messages",
        ["account_id", "thread", "provider_id"],
        unique=True,
    )
    op.create_index(
        "ix_messenger_chats_phone",
        "messenger_chats",
        ["account_id", "phone"],
        unique=False,
        postgresql_where=sa.text("phone IS NOT NULL"),
    )
    op.create_index(
        "ix_messenger_chats_username",
        "messenger_chats",
        ["account_id", sa.literal_column("lower(username)")],
        unique=False,
        postgresql_where=sa.text("username IS NOT NULL"),
    )
    op.create_index(
        "ix_source_accounts_messenger_account_uuid",
        "source_accounts",
        ["messenger_account_uuid"],
        unique=False,
        postgresql_where=sa.text("messenger_account_uuid IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
