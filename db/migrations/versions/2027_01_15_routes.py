"""SMS go by the routes that rules name, and routes can be switched off.

Revision ID: 0081
Revises: 0080
"""

from db.migrations.locks import change_briefly

revision = "0081"
down_revision = "0080"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS routes (
  id uuid NOT NULL CONSTRAINT pk_routes PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  enabled boolean NOT NULL,
  dsn_encrypted bytea
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_routes_name ON routes (name)",
    """
CREATE TABLE IF NOT EXISTS route_rules (
  id uuid NOT NULL CONSTRAINT pk_route_rules PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  prefix text COLLATE "C" NOT NULL,
  route text NOT NULL,
  category text CONSTRAINT ck_route_rules_category CHECK (category IN ('transactional', 'promotional')),
  owner_id uuid CONSTRAINT fk_route_rules_owner_id REFERENCES users (id) ON DELETE CASCADE,
  priority integer NOT NULL DEFAULT 0,
  weight integer NOT NULL DEFAULT 1 CONSTRAINT ck_route_rules_weight CHECK (weight > 0),
  fallback boolean NOT NULL DEFAULT true
)
""",
    """
CREATE UNIQUE INDEX IF NOT EXISTS uq_route_rules_rule ON route_rules
  (prefix, route, COALESCE(category, ''), COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid))
""",
    "CREATE INDEX IF NOT EXISTS ix_route_rules_owner_id ON route_rules (owner_id)",
    "SELECT postern_audit_install('routes', 'route', 'id', '', 'name,enabled', 'dsn_encrypted', '')",
    """
SELECT postern_audit_install('route_rules', 'routeRule', 'id', 'owner_id',
  'prefix,route,category,owner_id,priority,weight,fallback', '', '')
""",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
