"""People can be erased: their erasures, the addresses that are being erased, and blocks without addresses.

Revision ID: 0076
Revises: 0075
"""

from alembic import op

from db.migrations.indexes import build

revision = "0076"
down_revision = "0075"
branch_labels = None
depends_on = None

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS erasures (
  id uuid NOT NULL CONSTRAINT pk_erasures PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_erasures_owner_id REFERENCES users (id),
  contact_id uuid,
  address_hash text,
  requested_by uuid,
  state text NOT NULL DEFAULT 'running'
    CONSTRAINT ck_erasures_state CHECK (state IN ('running', 'done')),
  state_reason text,
  step text NOT NULL DEFAULT '',
  round integer NOT NULL DEFAULT 1,
  began_xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  deleted jsonb NOT NULL DEFAULT '[]'::jsonb,
  not_erased jsonb NOT NULL DEFAULT '[]'::jsonb,
  file_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  finished_at timestamptz
)
""",
    "CREATE INDEX IF NOT EXISTS ix_erasures_list ON erasures (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_erasures_running ON erasures (id) WHERE state = 'running'",
    """
CREATE TABLE IF NOT EXISTS erasure_addresses (
  id uuid NOT NULL CONSTRAINT pk_erasure_addresses PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  erasure_id uuid NOT NULL
    CONSTRAINT fk_erasure_addresses_erasure_id REFERENCES erasures (id) ON DELETE CASCADE,
  owner_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT ck_erasure_addresses_kind CHECK (kind IN ('address', 'thread', 'other')),
  address text NOT NULL,
  address_key text,
  address_hash text
)
""",
    "CREATE INDEX IF NOT EXISTS ix_erasure_addresses_erasure_id ON erasure_addresses (erasure_id)",
    "CREATE INDEX IF NOT EXISTS ix_erasure_addresses_hash ON erasure_addresses (owner_id, address_hash)",
    """
CREATE OR REPLACE FUNCTION postern_keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A contact that is merged into another one takes its entries along.
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'contact_id' = to_jsonb(OLD) - 'contact_id' THEN
    RETURN NEW;
  END IF;
  -- Of a person who is erased the columns that tell who it was are emptied; that something happened stays.
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'consent_entries' AND current_setting('postern.erasure', true) = 'on'
    AND to_jsonb(NEW) - '{ip,user_agent,evidence}'::text[] = to_jsonb(OLD) - '{ip,user_agent,evidence}'::text[]
    AND COALESCE(to_jsonb(NEW) ->> 'ip', to_jsonb(NEW) ->> 'user_agent', to_jsonb(NEW) ->> 'evidence') IS NULL THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'proof of consent can be added only: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$
""",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for statement in _TABLES:
        op.get_bind().exec_driver_sql(statement)
    op.execute(
        "SELECT postern_audit_install('erasures', 'erasure', 'id', 'owner_id', 'state,contact_id,address_hash', '', '')"
    )
    build("ix_blocked_phones_erased", "blocked_phones (owner_id, phone) WHERE phone LIKE 'erased:%'")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
