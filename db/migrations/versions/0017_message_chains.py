"""Columns chain_id and step of messages, and the tables message_chains and chain_signals."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0017_message_chains"
down_revision = "0016_status_callbacks"

_COLUMNS = """
ALTER TABLE messages ADD COLUMN IF NOT EXISTS chain_id uuid, ADD COLUMN IF NOT EXISTS step smallint;
"""
_TABLES = """
CREATE TABLE IF NOT EXISTS message_chains (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_id uuid,
  steps jsonb NOT NULL,
  not_begun jsonb NOT NULL DEFAULT '{}',
  current smallint NOT NULL,
  began_at timestamptz,
  due_at timestamptz,
  settled_at timestamptz,
  failure_code text,
  failure_reason text,
  CONSTRAINT pk_message_chains PRIMARY KEY (id),
  CONSTRAINT fk_message_chains_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
) WITH (fillfactor = 80);
CREATE INDEX IF NOT EXISTS ix_message_chains_due_at ON message_chains (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_message_chains_owner_id ON message_chains (owner_id, id);
CREATE TABLE IF NOT EXISTS chain_signals (
  id bigint GENERATED ALWAYS AS IDENTITY,
  chain_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_chain_signals PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX IF NOT EXISTS ix_chain_signals_chain_id ON chain_signals (chain_id);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _COLUMNS + _TABLES))
    build("uq_messages_chain_id", "messages (chain_id, step) WHERE chain_id IS NOT NULL", unique=True)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
