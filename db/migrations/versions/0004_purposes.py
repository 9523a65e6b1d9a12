"""Table installation_choice."""

from alembic import op

from db.scripts import run

revision = "0004_purposes"
down_revision = "0003_installation"

_TABLE = """
CREATE TABLE installation_choice (
  single boolean NOT NULL DEFAULT true,
  purposes text[] NOT NULL DEFAULT '{}',
  billing text NOT NULL DEFAULT 'prepaid',
  billing_since timestamptz,
  changed_at timestamptz,
  changed_by uuid,
  CONSTRAINT pk_installation_choice PRIMARY KEY (single),
  CONSTRAINT ck_installation_choice_single CHECK (single),
  CONSTRAINT ck_installation_choice_billing CHECK (billing IN ('prepaid', 'off'))
);
"""


def upgrade() -> None:
    run(op.get_bind(), _TABLE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
