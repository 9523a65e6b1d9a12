"""SMS have prices by prefix: lists with versions, which a tariff names, and what stands on each message.

Revision ID: 0078
Revises: 0077
"""

from db.migrations.locks import change_briefly

revision = "0078"
down_revision = "0077"
branch_labels = None
depends_on = None

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS price_lists (
  id uuid NOT NULL CONSTRAINT pk_price_lists PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  currency text NOT NULL,
  is_strict boolean NOT NULL DEFAULT false
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_price_lists_name ON price_lists (name)",
    """
CREATE TABLE IF NOT EXISTS price_list_versions (
  id uuid NOT NULL CONSTRAINT pk_price_list_versions PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  list_id uuid NOT NULL CONSTRAINT fk_price_list_versions_list_id REFERENCES price_lists (id) ON DELETE CASCADE,
  number integer NOT NULL,
  valid_from timestamptz NOT NULL,
  size integer NOT NULL,
  created_by uuid CONSTRAINT fk_price_list_versions_created_by REFERENCES users (id)
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_price_list_versions_number ON price_list_versions (list_id, number)",
    """
CREATE INDEX IF NOT EXISTS ix_price_list_versions_valid_from
  ON price_list_versions (list_id, valid_from DESC, number DESC)
""",
    """
CREATE TABLE IF NOT EXISTS prices (
  version_id uuid NOT NULL
    CONSTRAINT fk_prices_version_id REFERENCES price_list_versions (id) ON DELETE CASCADE,
  channel text NOT NULL CONSTRAINT ck_prices_channel CHECK (channel IN ('sms', 'whatsapp')),
  prefix text COLLATE "C" NOT NULL,
  price numeric(18, 6) NOT NULL CONSTRAINT ck_prices_price CHECK (price >= 0),
  cost numeric(18, 6) CONSTRAINT ck_prices_cost CHECK (cost >= 0),
  CONSTRAINT pk_prices PRIMARY KEY (version_id, channel, prefix)
)
""",
    "SELECT postern_audit_install('price_lists', 'priceList', 'id', '', 'name,currency,is_strict', '', '')",
    """
SELECT postern_audit_install('price_list_versions', 'priceListVersion', 'id', '',
  'list_id,number,valid_from,size', '', '')
""",
)
_COLUMNS = (
    """
ALTER TABLE tariffs ADD COLUMN IF NOT EXISTS price_list_id uuid
  CONSTRAINT fk_tariffs_price_list_id REFERENCES price_lists (id)
""",
    """
ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS price_version_id uuid,
  ADD COLUMN IF NOT EXISTS resume_balance numeric(18, 6)
""",
    """
ALTER TABLE message_records ADD COLUMN IF NOT EXISTS price_prefix text,
  ADD COLUMN IF NOT EXISTS price_version_id uuid
""",
    """
ALTER TABLE messages ADD COLUMN IF NOT EXISTS price_prefix text, ADD COLUMN IF NOT EXISTS price_version_id uuid
""",
)


def upgrade() -> None:
    change_briefly((*_TABLES, *_COLUMNS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
