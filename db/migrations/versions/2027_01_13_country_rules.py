"""SMS may be limited to countries, and have caps for each country.

Revision ID: 0079
Revises: 0078
"""

from db.migrations.locks import change_briefly

revision = "0079"
down_revision = "0078"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS country_rules (
  id uuid NOT NULL CONSTRAINT pk_country_rules PRIMARY KEY,
  owner_id uuid CONSTRAINT fk_country_rules_owner_id REFERENCES users (id) ON DELETE CASCADE,
  allow text[],
  deny text[] NOT NULL DEFAULT '{}'::text[],
  per_hour integer,
  per_day integer,
  epoch integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ck_country_rules_id CHECK (id = COALESCE(owner_id, '00000000-0000-0000-0000-000000000000')),
  CONSTRAINT ck_country_rules_caps CHECK (per_hour > 0 AND per_day > 0)
)
""",
    """
CREATE TABLE IF NOT EXISTS country_limits (
  id uuid NOT NULL CONSTRAINT pk_country_limits PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_country_limits_owner_id REFERENCES users (id) ON DELETE CASCADE,
  country text NOT NULL,
  hour timestamptz NOT NULL,
  cap text NOT NULL CONSTRAINT ck_country_limits_cap CHECK (cap IN ('hour', 'day')),
  until timestamptz NOT NULL
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_country_limits_hour ON country_limits (owner_id, country, hour)",
    "CREATE INDEX IF NOT EXISTS ix_country_limits_created_at ON country_limits (created_at)",
    "CREATE INDEX IF NOT EXISTS ix_country_limits_owner_id ON country_limits (owner_id, created_at)",
    """
SELECT postern_audit_install('country_rules', 'countryRule', 'id', 'owner_id', 'allow,deny,per_hour,per_day', '', '')
""",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
