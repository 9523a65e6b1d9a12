"""Columns failed_at, refunded, message_id and owed, and table account_debts, for reports that take a refund back."""

from alembic import op

from db.scripts import briefly, run

revision = "0012_report_sets"
down_revision = "0011_consent_times"

_TABLE = """
CREATE TABLE account_debts (
  account_id uuid NOT NULL,
  amount numeric(18,6) NOT NULL,
  reference uuid NOT NULL,
  attempt integer NOT NULL,
  project_id uuid,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_account_debts PRIMARY KEY (id),
  CONSTRAINT ck_account_debts_amount_positive CHECK (amount > 0 AND amount <> 'NaN')
);
CREATE INDEX ix_account_debts_account_id_id ON account_debts (account_id, id);
"""
_COLUMNS = (
    "messages ADD COLUMN IF NOT EXISTS failed_at timestamptz",
    "message_records ADD COLUMN IF NOT EXISTS failed_at timestamptz",
    "message_records ADD COLUMN IF NOT EXISTS refunded numeric(18,6)",
    "blocked_phones ADD COLUMN IF NOT EXISTS message_id uuid",
    """accounts ADD COLUMN IF NOT EXISTS owed numeric(18,6) NOT NULL DEFAULT 0
      CONSTRAINT ck_accounts_owed_never_negative CHECK (owed >= 0 AND owed <> 'NaN')""",
)


def upgrade() -> None:
    connection = op.get_bind()

    def work() -> None:
        for change in _COLUMNS:
            op.execute(f"ALTER TABLE {change}")
        run(connection, _TABLE)

    briefly(connection, work)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
