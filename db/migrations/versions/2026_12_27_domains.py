"""Adds the keys that sign emails with DKIM."""

from alembic import op

revision = "0064"
down_revision = "0062"

_DKIM_KEYS = """
CREATE TABLE IF NOT EXISTS dkim_keys (
  id uuid NOT NULL CONSTRAINT pk_dkim_keys PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid CONSTRAINT fk_dkim_keys_owner_id REFERENCES users (id),
  domain text NOT NULL,
  selector text NOT NULL,
  algorithm text NOT NULL CONSTRAINT ck_dkim_keys_algorithm CHECK (algorithm IN ('rsa', 'ed25519')),
  key_encrypted bytea NOT NULL,
  public_key text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CONSTRAINT ck_dkim_keys_state CHECK (state IN ('pending', 'active', 'retired')),
  state_at timestamptz NOT NULL
)
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS: an installation that was interrupted between two migrations runs them again.
    op.execute(_DKIM_KEYS)
    op.execute("CREATE UNIQUE INDEX IF NOT EXISTS uq_dkim_keys_selector ON dkim_keys (domain, selector)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_dkim_keys_owner_id ON dkim_keys (owner_id, domain)")
    op.execute(
        "SELECT postern_audit_install('dkim_keys', 'dkimKey', 'id', 'owner_id',"
        " 'domain,selector,algorithm,state', 'key_encrypted', '')"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
