"""The receipts of SMS are counted by route and prefix; a route that delivers nothing is tried after the others.

Revision ID: 0082
Revises: 0081
"""

from db.migrations.locks import change_briefly

revision = "0082"
down_revision = "0081"
branch_labels = None
depends_on = None

_STATEMENTS = (
    "ALTER TABLE routes ADD COLUMN IF NOT EXISTS ignores_receipts boolean NOT NULL DEFAULT false",
    "SELECT postern_audit_install('routes', 'route', 'id', '', 'name,enabled,ignores_receipts', 'dsn_encrypted', '')",
    """
CREATE TABLE IF NOT EXISTS route_receipts (
  route text NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  user_group smallint NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  CONSTRAINT pk_route_receipts PRIMARY KEY (route, prefix, since, user_group)
)
""",
    """
CREATE TABLE IF NOT EXISTS degraded_routes (
  route text NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT pk_degraded_routes PRIMARY KEY (route, prefix)
)
""",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
