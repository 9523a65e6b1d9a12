"""The logo of a brand, and the domains of owners for links and pages."""

from alembic import op

from db.scripts import briefly, run

revision = "0025_brand_domains"
down_revision = "0024_template_uses"

_TABLE = """
CREATE TABLE brand_domains (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  record_name text NOT NULL,
  record_value text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  verified_at timestamptz,
  checked_at timestamptz,
  lost_at timestamptz,
  check_at timestamptz NOT NULL DEFAULT now(),
  problem text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_brand_domains PRIMARY KEY (id),
  CONSTRAINT fk_brand_domains_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_brand_domains_status CHECK (status IN ('pending', 'verified', 'lost', 'expired'))
);
CREATE UNIQUE INDEX uq_brand_domains_owner_id ON brand_domains (owner_id, name);
CREATE UNIQUE INDEX uq_brand_domains_verified ON brand_domains (name) WHERE status IN ('verified', 'lost');
CREATE INDEX ix_brand_domains_list ON brand_domains (owner_id, id);
CREATE INDEX ix_brand_domains_name ON brand_domains (name);
CREATE INDEX ix_brand_domains_check_at ON brand_domains (check_at);
"""
_LOGO = """
ALTER TABLE brands ADD COLUMN logo_uuid uuid,
  ADD CONSTRAINT fk_brands_logo_uuid FOREIGN KEY (logo_uuid) REFERENCES media (id) ON DELETE SET NULL;
CREATE INDEX ix_brands_logo_uuid ON brands (logo_uuid) WHERE logo_uuid IS NOT NULL;
"""


def upgrade() -> None:
    connection = op.get_bind()
    run(connection, _TABLE)
    briefly(connection, lambda: run(connection, _LOGO))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
