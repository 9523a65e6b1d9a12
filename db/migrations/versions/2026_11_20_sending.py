"""Sending Projects: projects, recipients, messages, units, counters, imports, exports, files, blocks, hooks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "ai_usage",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("requests", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", name=op.f("pk_ai_usage")),
    )
    op.create_table(
        "early_events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("event", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_early_events")),
    )
    op.create_index("ix_early_events_key", "early_events", ["user_id", "key"], unique=False)
    op.create_index(op.f("ix_early_events_received_at"), "early_events", ["received_at"], unique=False)
    op.create_table(
        "failure_counters",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("count", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("project_id", "code", "shard", name=op.f("pk_failure_counters")),
    )
    op.create_index("ix_failure_counters_owner_id", "failure_counters", ["owner_id"], unique=False)
    op.create_table(
        "hook_events",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "event_id", name=op.f("pk_hook_events")),
    )
    op.create_index(op.f("ix_hook_events_received_at"), "hook_events", ["received_at"], unique=False)
    op.create_table(
        "message_records",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("recipient_id", sa.Uuid(), nullable=True),
        sa.Column("unit_id", sa.Uuid(), nullable=True),
        sa.Column("direction", sa.Text(), server_default="outbound", nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("to", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="queued", nullable=False),
        sa.Column("account_uuid", sa.Uuid(), nullable=True),
        sa.Column("content", sa.Integer(), nullable=True),
        sa.Column("variant", sa.SmallInteger(), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("claim_id", sa.Uuid(), nullable=True),
        sa.Column("price", sa.Numeric(precision=18, scale=6), server_default="0", nullable=False),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("provider_message_id", sa.Text(), nullable=True),
        sa.Column("failure_code", sa.Text(), nullable=True),
        sa.Column("failure_reason", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("handed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replied_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')",
            name=op.f("ck_message_records_channel"),
        ),
        sa.CheckConstraint("direction IN ('inbound', 'outbound')", name=op.f("ck_message_records_direction")),
        sa.CheckConstraint(
            "price >= 0 AND price <> 'NaN'", name=op.f("ck_message_records_price_never_negative")
        ),
        sa.CheckConstraint(
            "status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'canceled')",
            name=op.f("ck_message_records_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message_records")),
        postgresql_with={"fillfactor": "45"},
    )
    op.create_index(
        "ix_message_records_failures",
        "message_records",
        ["project_id", "seq"],
        unique=False,
        postgresql_where=sa.text("failure_code IS NOT NULL"),
    )
    op.create_index("ix_message_records_owner_id_seq", "message_records", ["owner_id", "seq"], unique=False)
    op.create_index(
        "ix_message_records_project_id_seq", "message_records", ["project_id", "seq"], unique=False
    )
    op.create_index(
        "ix_message_records_provider_message_id",
        "message_records",
        ["provider_message_id"],
        unique=False,
        postgresql_where=sa.text("provider_message_id IS NOT NULL"),
    )
    op.create_index(
        "ix_message_records_replies",
        "message_records",
        ["owner_id", "project_id"],
        unique=False,
        postgresql_where=sa.text("direction = 'inbound'"),
    )
    op.create_index("ix_message_records_to", "message_records", ["to", "owner_id"], unique=False)
    op.create_index("ix_message_records_unit_id", "message_records", ["unit_id"], unique=False)
    op.create_table(
        "sending_counters",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("queued", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sending", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sent", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("delivered", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("read", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("skipped", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("unknown", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("canceled", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("replied", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "shard", name=op.f("pk_sending_counters")),
    )
    op.create_index("ix_sending_counters_owner_id", "sending_counters", ["owner_id"], unique=False)
    op.create_table(
        "statistics_buckets",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("bucket", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("queued", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sent", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("delivered", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("read", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("replied", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("project_id", "bucket", "shard", name=op.f("pk_statistics_buckets")),
    )
    op.create_index(
        "ix_statistics_buckets_owner_id_bucket", "statistics_buckets", ["owner_id", "bucket"], unique=False
    )
    op.create_table(
        "tariff_usage",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("messages", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("granted", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", name=op.f("pk_tariff_usage")),
    )
    op.create_table(
        "blocked_phones",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), server_default="manual", nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "reason IN ('manual', 'optOut', 'hardBounce', 'complaint')", name=op.f("ck_blocked_phones_reason")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_blocked_phones_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocked_phones")),
        sa.UniqueConstraint("owner_id", "phone", name=op.f("uq_blocked_phones_owner_id_phone")),
    )
    op.create_index("ix_blocked_phones_owner_id_id", "blocked_phones", ["owner_id", "id"], unique=False)
    op.create_table(
        "export_links",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="created", nullable=False),
        sa.Column("status_reason", sa.Text(), nullable=True),
        sa.Column("format", sa.Text(), server_default="csv", nullable=False),
        sa.Column(
            "filters",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "columns",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
        ),
        sa.Column("sending_project_uuid", sa.Uuid(), nullable=True),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("done", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("file_uuid", sa.Uuid(), nullable=True),
        sa.Column("claim_id", sa.Uuid(), nullable=True),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("format IN ('csv', 'xlsx', 'ndjson')", name=op.f("ck_export_links_format")),
        sa.CheckConstraint(
            "status IN ('created', 'running', 'ready', 'failed', 'canceled')",
            name=op.f("ck_export_links_status"),
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_export_links_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export_links")),
    )
    op.create_index(
        "ix_export_links_open",
        "export_links",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("status IN ('created', 'running')"),
    )
    op.create_index("ix_export_links_owner_id_id", "export_links", ["owner_id", "id"], unique=False)
    op.create_table(
        "files",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("original_name", sa.Text(), nullable=False),
        sa.Column("mime", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_files_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
        sa.UniqueConstraint("original_name", name=op.f("uq_files_original_name")),
    )
    op.create_index("ix_files_owner_id_id", "files", ["owner_id", "id"], unique=False)
    op.create_table(
        "discarded_files",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discarded_files")),
    )
    op.create_index(op.f("ix_discarded_files_due_at"), "discarded_files", ["due_at"], unique=False)
    op.create_table(
        "hook_secrets",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("hint", sa.Text(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_hook_secrets_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hook_secrets")),
    )
    op.create_index("ix_hook_secrets_user_id_id", "hook_secrets", ["user_id", "id"], unique=False)
    op.create_table(
        "recipient_imports",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.Text(), server_default="processing", nullable=False),
        sa.Column("status_reason", sa.Text(), nullable=True),
        sa.Column("file_uuid", sa.Uuid(), nullable=True),
        sa.Column("file_name", sa.Text(), nullable=True),
        sa.Column("region", sa.Text(), nullable=False),
        sa.Column(
            "columns",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "mapping",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("valid", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("invalid", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("duplicates", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "options",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('processing', 'ready', 'failed')", name=op.f("ck_recipient_imports_status")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_recipient_imports_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recipient_imports")),
    )
    op.create_index("ix_recipient_imports_owner_id_id", "recipient_imports", ["owner_id", "id"], unique=False)
    op.create_index(
        "ix_recipient_imports_processing",
        "recipient_imports",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("status = 'processing'"),
    )
    op.create_table(
        "import_payloads",
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["recipient_imports.id"],
            name=op.f("fk_import_payloads_import_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("import_id", name=op.f("pk_import_payloads")),
    )
    op.create_table(
        "repeatable_projects",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column("template", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("schedule", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("source", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("next_run_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_run_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("runs", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('draft', 'active', 'stopped', 'finished')", name=op.f("ck_repeatable_projects_status")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_repeatable_projects_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_repeatable_projects")),
    )
    op.create_index(
        "ix_repeatable_projects_due",
        "repeatable_projects",
        ["next_run_at"],
        unique=False,
        postgresql_where=sa.text("status = 'active'"),
    )
    op.create_index(
        "ix_repeatable_projects_owner_id_id", "repeatable_projects", ["owner_id", "id"], unique=False
    )
    op.create_table(
        "source_accounts",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="connected", nullable=False),
        sa.Column("status_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("messenger_account_uuid", sa.Uuid(), nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("token_encrypted", sa.LargeBinary(), nullable=False),
        sa.Column("token_hint", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('connected', 'disconnected', 'blocked', 'deleted')",
            name=op.f("ck_source_accounts_status"),
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_source_accounts_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_accounts")),
        sa.UniqueConstraint(
            "owner_id",
            "source",
            "login",
            "token_hash",
            name=op.f("uq_source_accounts_owner_id_source_login_token_hash"),
        ),
    )
    op.create_index("ix_source_accounts_owner_id_id", "source_accounts", ["owner_id", "id"], unique=False)
    op.create_table(
        "import_rows",
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("variables", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("timezone", sa.Text(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["import_id"], ["recipient_imports.id"], name=op.f("fk_import_rows_import_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("import_id", "line", name=op.f("pk_import_rows")),
    )
    op.create_index(
        "ix_import_rows_errors",
        "import_rows",
        ["import_id", "line"],
        unique=False,
        postgresql_where=sa.text("error_code IS NOT NULL"),
    )
    op.create_table(
        "sending_projects",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column("status_reason", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column(
            "account_uuids", sa.ARRAY(sa.Uuid()), server_default=sa.text("'{}'::uuid[]"), nullable=False
        ),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column(
            "variants",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'[]'::jsonb"),
            nullable=False,
        ),
        sa.Column("template", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "attachment_uuids", sa.ARRAY(sa.Uuid()), server_default=sa.text("'{}'::uuid[]"), nullable=False
        ),
        sa.Column("start_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("window", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "speed",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column(
            "retry",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("on_missing_variable", sa.Text(), server_default="empty", nullable=False),
        sa.Column("stop_on_reply", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("repeatable_uuid", sa.Uuid(), nullable=True),
        sa.Column("fire_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("content", sa.Integer(), server_default="0", nullable=False),
        sa.Column("preparation", sa.Text(), nullable=True),
        sa.Column("prepared_to", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("retried_to", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("retry_unknown", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("resume_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')",
            name=op.f("ck_sending_projects_channel"),
        ),
        sa.CheckConstraint(
            "on_missing_variable IN ('skip', 'empty')", name=op.f("ck_sending_projects_on_missing_variable")
        ),
        sa.CheckConstraint(
            "preparation IN ('freeze', 'retry', 'cancel')", name=op.f("ck_sending_projects_preparation")
        ),
        sa.CheckConstraint(
            "status IN ('draft', 'scheduled', 'running', 'paused', 'stopped', 'finished', 'deleted')",
            name=op.f("ck_sending_projects_status"),
        ),
        sa.CheckConstraint(
            "status_reason IN ('no_sender_online', 'balance_used_up', 'tariff_used_up', 'provider_refuses_credentials', 'owner_suspended')",
            name=op.f("ck_sending_projects_status_reason"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_sending_projects_account_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_sending_projects_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sending_projects")),
        sa.UniqueConstraint(
            "repeatable_uuid", "fire_at", name=op.f("uq_sending_projects_repeatable_uuid_fire_at")
        ),
    )
    op.create_index(
        "ix_sending_projects_live",
        "sending_projects",
        ["status"],
        unique=False,
        postgresql_where=sa.text("status IN ('scheduled', 'running', 'paused') OR preparation IS NOT NULL"),
    )
    op.create_index("ix_sending_projects_owner_id_id", "sending_projects", ["owner_id", "id"], unique=False)
    op.create_table(
        "project_contents",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["sending_projects.id"],
            name=op.f("fk_project_contents_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "number", name=op.f("pk_project_contents")),
    )
    op.create_table(
        "recipients",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column(
            "variables",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("timezone", sa.Text(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["sending_projects.id"], name=op.f("fk_recipients_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recipients")),
        sa.UniqueConstraint("project_id", "address", name=op.f("uq_recipients_project_id_address")),
    )
    op.create_index("ix_recipients_project_id_seq", "recipients", ["project_id", "seq"], unique=False)
    op.create_table(
        "repeatable_firings",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("repeatable_id", sa.Uuid(), nullable=False),
        sa.Column("source", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("copied_to", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["sending_projects.id"],
            name=op.f("fk_repeatable_firings_project_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_repeatable_firings")),
    )
    op.create_table(
        "sending_units",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("claim_id", sa.Uuid(), nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held", sa.Numeric(precision=18, scale=6), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["sending_projects.id"],
            name=op.f("fk_sending_units_project_id"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("held >= 0 AND held <> 'NaN'", name=op.f("ck_sending_units_held_never_negative")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sending_units")),
    )
    op.create_index(
        "ix_sending_units_expires_at",
        "sending_units",
        ["expires_at"],
        unique=False,
        postgresql_where=sa.text("claim_id IS NOT NULL"),
    )
    op.create_index(
        "ix_sending_units_project_id_due_at", "sending_units", ["project_id", "due_at"], unique=False
    )
    op.add_column(
        "tariffs", sa.Column("public", sa.Boolean(), server_default=sa.text("true"), nullable=False)
    )
    op.add_column(
        "tariffs", sa.Column("max_concurrent_projects", sa.Integer(), server_default="100", nullable=False)
    )
    op.add_column(
        "tariffs",
        sa.Column("max_recipients_per_project", sa.Integer(), server_default="10000000", nullable=False),
    )
    op.add_column(
        "tariffs", sa.Column("messages_per_day", sa.BigInteger(), server_default="10000000", nullable=False)
    )
    op.add_column(
        "tariffs", sa.Column("messages_per_minute", sa.Integer(), server_default="10000000", nullable=False)
    )
    op.add_column(
        "tariffs",
        sa.Column(
            "channels",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{sms,email,push,telegram,whatsapp}'::text[]"),
            nullable=False,
        ),
    )
    op.add_column("api_tokens", sa.Column("revoked_reason", sa.Text(), nullable=True))
    op.add_column("sessions", sa.Column("api_token_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_sessions_api_token_id"),
        "sessions",
        "api_tokens",
        ["api_token_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_index(op.f("ix_sessions_api_token_id"), "sessions", ["api_token_id"], unique=False)
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.UUID(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
