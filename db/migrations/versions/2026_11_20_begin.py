"""The first schema: users, accounts, messages, settings, and PgQueuer's own tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "claims",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
    )
    op.create_index(op.f("ix_claims_expires_at"), "claims", ["expires_at"], unique=False)
    op.create_table(
        "early_receipts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("provider_message_id", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_early_receipts")),
    )
    op.create_index(
        "ix_early_receipts_provider", "early_receipts", ["provider", "provider_message_id"], unique=False
    )
    op.create_index(op.f("ix_early_receipts_received_at"), "early_receipts", ["received_at"], unique=False)
    op.create_table(
        "idempotency_keys",
        sa.Column("user_id", sa.UUID(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "operation", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_expires_at"), "idempotency_keys", ["expires_at"], unique=False)
    op.create_table(
        "settings",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.UUID(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("scope IN ('user', 'account')", name=op.f("ck_settings_scope")),
        sa.PrimaryKeyConstraint("scope", "holder_id", "key", name=op.f("pk_settings")),
    )
    op.create_table(
        "tariffs",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prices", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_tariffs")),
    )
    op.create_table(
        "users",
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), server_default="", nullable=False),
        sa.Column("locale", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("roles", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("invitation_hash", sa.LargeBinary(), nullable=True),
        sa.Column("invitation_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("token_version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("tariff_code", sa.Text(), server_default="default", nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('active', 'invited', 'suspended', 'deleted')", name=op.f("ck_users_status")
        ),
        sa.ForeignKeyConstraint(["tariff_code"], ["tariffs.code"], name=op.f("fk_users_tariff_code")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "accounts",
        sa.Column("owner_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), server_default="free", nullable=False),
        sa.Column("balance", sa.Numeric(precision=18, scale=6), server_default="0", nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "balance >= 0 AND balance <> 'NaN'", name=op.f("ck_accounts_balance_never_negative")
        ),
        sa.CheckConstraint("plan IN ('free', 'pro', 'enterprise')", name=op.f("ck_accounts_plan")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_accounts_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    op.create_index("ix_accounts_owner_id_id", "accounts", ["owner_id", "id"], unique=False)
    op.create_table(
        "api_tokens",
        sa.Column("user_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("hint", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
    )
    op.create_index("ix_api_tokens_user_id_id", "api_tokens", ["user_id", "id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("user_id", sa.UUID(), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_reason", sa.Text(), nullable=True),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "ledger_entries",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(precision=18, scale=6), nullable=False),
        sa.Column("reference", sa.UUID(), nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="1", nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_by", sa.UUID(), nullable=True),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "amount <> 'NaN' AND (amount < 0) = (kind = 'charge')", name=op.f("ck_ledger_entries_amount_sign")
        ),
        sa.CheckConstraint("kind IN ('credit', 'charge', 'refund')", name=op.f("ck_ledger_entries_kind")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_ledger_entries_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_entries")),
        sa.UniqueConstraint(
            "kind", "reference", "attempt", name=op.f("uq_ledger_entries_kind_reference_attempt")
        ),
    )
    op.create_index("ix_ledger_entries_account_id_id", "ledger_entries", ["account_id", "id"], unique=False)
    op.create_table(
        "messages",
        sa.Column("owner_id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column(
            "status",
            sa.Text(),
            sa.Computed(
                "CASE state WHEN 'sending' THEN 'queued' WHEN 'unknown' THEN 'queued' WHEN 'canceled' THEN 'failed' ELSE state END",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.Column("to", sa.Text(), nullable=False),
        sa.Column("to_given", sa.Text(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("price", sa.Numeric(precision=18, scale=6), server_default="0", nullable=False),
        sa.Column("segments", sa.Integer(), server_default="1", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("claim_id", sa.UUID(), nullable=True),
        sa.Column("handed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("provider_message_id", sa.Text(), nullable=True),
        sa.Column("failure_code", sa.Text(), nullable=True),
        sa.Column("failure_reason", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("channel IN ('sms', 'email', 'push')", name=op.f("ck_messages_channel")),
        sa.CheckConstraint("direction IN ('inbound', 'outbound')", name=op.f("ck_messages_direction")),
        sa.CheckConstraint("price >= 0 AND price <> 'NaN'", name=op.f("ck_messages_price_never_negative")),
        sa.CheckConstraint(
            "state IN ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'canceled')",
            name=op.f("ck_messages_state"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_messages_account_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_messages_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_account_id_id", "messages", ["account_id", "id"], unique=False)
    op.create_index(
        "ix_messages_claim_id",
        "messages",
        ["claim_id"],
        unique=False,
        postgresql_where=sa.text("claim_id IS NOT NULL"),
    )
    op.create_index(
        "ix_messages_due",
        "messages",
        ["channel", "due_at"],
        unique=False,
        postgresql_where=sa.text("state = 'queued'"),
    )
    op.create_index(
        "ix_messages_conversation",
        "messages",
        ["channel", "to", "id"],
        unique=False,
        postgresql_where=sa.text("direction = 'outbound'"),
    )
    op.create_index("ix_messages_owner_id_id", "messages", ["owner_id", "id"], unique=False)
    op.create_index(
        "ix_messages_unknown",
        "messages",
        ["id"],
        unique=False,
        postgresql_where=sa.text("state = 'unknown'"),
    )
    op.create_index(
        "ix_messages_provider_message_id",
        "messages",
        ["provider_message_id"],
        unique=False,
        postgresql_where=sa.text("provider_message_id IS NOT NULL"),
    )
    op.create_table(
        "refresh_tokens",
        sa.Column("session_id", sa.UUID(), nullable=False),
        sa.Column("parent_id", sa.UUID(), nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_refresh_tokens_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refresh_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_refresh_tokens_token_hash")),
    )
    op.create_index(op.f("ix_refresh_tokens_expires_at"), "refresh_tokens", ["expires_at"], unique=False)
    op.create_index(op.f("ix_refresh_tokens_session_id"), "refresh_tokens", ["session_id"], unique=False)
    _jobs()
    op.execute(WAKE)
    op.execute(DEFAULT_TARIFF)


def _jobs() -> None:
    """The job engine's tables, as the pinned PgQueuer release writes them."""
    from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment

    for statement in _statements(QueryBuilderEnvironment().build_install_query()):
        op.execute(sa.text(statement.replace(":", r"\:")))


def _statements(script: str) -> list[str]:
    """The script's statements: asyncpg prepares one at a time. A `;` inside `$$ … $$` ends nothing."""
    statements, current, quoted = [], "", False
    for line in script.splitlines():
        quoted ^= line.count("$$") % 2 == 1
        current += line + "\n"
        if line.rstrip().endswith(";") and not quoted:
            statements.append(current)
            current = ""
    return statements


# The shared lock is what a starting drain waits for: whoever found a job waiting has committed by then.
WAKE = """
CREATE FUNCTION postern_wake(job text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('postern:' || job, 0));
  IF NOT EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'queued' AND execute_after <= now()
  ) THEN
    WITH made AS (
      INSERT INTO pgqueuer (priority, entrypoint, status) VALUES (0, job, 'queued')
      RETURNING id, priority, entrypoint, status
    )
    INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
    SELECT id, status, entrypoint, priority FROM made;
  END IF;
END $$
"""

# What every user starts with (contract §3).
_PRICES = '{"sms": 0.01, "email": 0.001, "push": 0, "telegram": 0, "whatsapp": 0}'
DEFAULT_TARIFF = f"""
INSERT INTO tariffs (code, name, prices)
SELECT 'default', 'Default', jsonb_object_agg(currency, '{_PRICES}'::jsonb)
FROM unnest(ARRAY['USD', 'EUR', 'GBP']) AS currency
""".replace(":", r"\:")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
