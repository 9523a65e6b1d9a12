"""Tables reconciliations, reconciliation_chunks and signing_keys, and the parts of an SMS of a project."""

from alembic import op

from db.scripts import briefly, run

revision = "0009_reconciliations"
down_revision = "0008_approval_above"

# The bodies are compressed already, and a proof reads one of them.
_TABLES = """
CREATE TABLE reconciliations (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  project_id uuid NOT NULL,
  kind text NOT NULL,
  project_finished_at timestamptz NOT NULL,
  begun_at timestamptz,
  seed bytea,
  number integer,
  state text,
  document text,
  hash bytea,
  previous_hash bytea,
  signature text,
  key_id text,
  root bytea,
  line_count bigint,
  settled boolean,
  settles_at timestamptz,
  made_at timestamptz,
  CONSTRAINT pk_reconciliations PRIMARY KEY (id),
  CONSTRAINT fk_reconciliations_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT fk_reconciliations_project_id FOREIGN KEY (project_id) REFERENCES sending_projects (id) ON DELETE CASCADE,
  CONSTRAINT ck_reconciliations_kind CHECK (kind IN ('finished', 'settled')),
  CONSTRAINT ck_reconciliations_state CHECK (state IN ('balanced', 'open'))
);
CREATE UNIQUE INDEX uq_reconciliations_number ON reconciliations (project_id, number);
CREATE UNIQUE INDEX uq_reconciliations_waiting ON reconciliations (project_id) WHERE made_at IS NULL;
CREATE INDEX ix_reconciliations_owner_id_id ON reconciliations (owner_id, id);
CREATE INDEX ix_reconciliations_settles_at ON reconciliations (settles_at) WHERE settles_at IS NOT NULL;
CREATE INDEX ix_reconciliations_open ON reconciliations (made_at) WHERE state = 'open';
CREATE TABLE reconciliation_chunks (
  reconciliation_id uuid NOT NULL,
  number integer NOT NULL,
  least bytea NOT NULL,
  root bytea NOT NULL,
  hashes bytea NOT NULL,
  salts bytea,
  body bytea,
  CONSTRAINT pk_reconciliation_chunks PRIMARY KEY (reconciliation_id, number),
  CONSTRAINT fk_reconciliation_chunks_reconciliation_id FOREIGN KEY (reconciliation_id)
    REFERENCES reconciliations (id) ON DELETE CASCADE
);
CREATE INDEX ix_reconciliation_chunks_least ON reconciliation_chunks (reconciliation_id, least);
ALTER TABLE reconciliation_chunks ALTER body SET STORAGE EXTERNAL, ALTER salts SET STORAGE EXTERNAL,
  ALTER hashes SET STORAGE EXTERNAL;
CREATE TABLE signing_keys (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  kid text NOT NULL,
  public_key text NOT NULL,
  key_encrypted bytea NOT NULL,
  signs_from timestamptz NOT NULL,
  CONSTRAINT pk_signing_keys PRIMARY KEY (id),
  CONSTRAINT uq_signing_keys_kid UNIQUE (kid)
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    op.execute("SET LOCAL lock_timeout = '10s'")
    run(connection, _TABLES)
    briefly(
        connection,
        lambda: op.execute("ALTER TABLE message_records ADD COLUMN IF NOT EXISTS parts smallint"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
