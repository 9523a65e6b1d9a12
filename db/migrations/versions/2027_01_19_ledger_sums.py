"""An entry of the ledger can stand for those of a day, and the database knows up to where entries were added up.

Revision ID: 0085
Revises: 0084
"""

from db.migrations.locks import change_briefly

revision = "0085"
down_revision = "0084"
branch_labels = None
depends_on = None

_STATEMENTS = (
    "ALTER TABLE ledger_entries ADD COLUMN IF NOT EXISTS entry_count integer",
    """
CREATE TABLE IF NOT EXISTS ledger_progress (
  id smallint NOT NULL,
  position uuid NOT NULL,
  begun_at timestamptz NOT NULL,
  CONSTRAINT pk_ledger_progress PRIMARY KEY (id),
  CONSTRAINT ck_ledger_progress_single CHECK (id = 1)
)
""",
    """
INSERT INTO ledger_progress (id, position, begun_at) VALUES (1, '00000000-0000-0000-0000-000000000000', now())
ON CONFLICT DO NOTHING
""",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
