"""Tables statements and statement_months, and the statement that a mail to a user is about."""

from alembic import op

from db.scripts import briefly, run

revision = "0033_statements"
down_revision = "0032_submissions"

_TABLES = """
CREATE TABLE statements (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  account_id uuid NOT NULL,
  month date NOT NULL,
  begun_at timestamptz,
  number integer,
  state text,
  currency text,
  opening_balance numeric(18,6),
  closing_balance numeric(18,6),
  document text,
  hash bytea,
  previous_hash bytea,
  signature text,
  key_id text,
  made_at timestamptz,
  CONSTRAINT pk_statements PRIMARY KEY (id),
  CONSTRAINT fk_statements_account_id FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT ck_statements_state CHECK (state IN ('balanced', 'open'))
);
CREATE UNIQUE INDEX uq_statements_month ON statements (account_id, month);
CREATE UNIQUE INDEX uq_statements_number ON statements (account_id, number);
CREATE INDEX ix_statements_waiting ON statements (month, account_id) WHERE made_at IS NULL;
CREATE INDEX ix_statements_open ON statements (made_at) WHERE state = 'open';
CREATE TABLE statement_months (
  month date NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_statement_months PRIMARY KEY (month)
);
ALTER TABLE user_notices ADD COLUMN IF NOT EXISTS statement_id uuid;
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
