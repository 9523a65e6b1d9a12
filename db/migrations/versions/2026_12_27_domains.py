"""Adds domains of emails, the keys that sign them with DKIM, and the sender of an email."""

from alembic import op

revision = "0064"
down_revision = "0063"

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

_DOMAINS = """
CREATE TABLE IF NOT EXISTS domains (
  id uuid NOT NULL CONSTRAINT pk_domains PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_domains_owner_id REFERENCES users (id),
  name text NOT NULL,
  token text NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CONSTRAINT ck_domains_status CHECK (status IN ('pending', 'verified', 'lost', 'expired')),
  records jsonb NOT NULL DEFAULT '[]',
  verified_at timestamptz,
  checked_at timestamptz,
  lost_at timestamptz,
  check_at timestamptz NOT NULL DEFAULT now(),
  problem text
)
"""
_EVENTS = """
CREATE OR REPLACE FUNCTION postern_domain_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'domain.' || NEW.status, 'domain', NEW.id, NULL, NULL, jsonb_build_object(
      'uuid', NEW.id, 'name', NEW.name, 'status', NEW.status, 'problem', NEW.problem,
      'verifiedAt', postern_utc(NEW.verified_at), 'lostAt', postern_utc(NEW.lost_at)));
  END IF;
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    # One transaction each: nothing waits for one table while it has the lock of another.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table in ("messages", "sending_projects"):
            op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS from_address text")
        op.execute("RESET lock_timeout")
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS: an installation that was interrupted between two migrations runs them again.
    op.execute(_DKIM_KEYS)
    op.execute("CREATE UNIQUE INDEX IF NOT EXISTS uq_dkim_keys_selector ON dkim_keys (domain, selector)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_dkim_keys_owner_id ON dkim_keys (owner_id, domain)")
    op.execute(_DOMAINS)
    op.execute("CREATE UNIQUE INDEX IF NOT EXISTS uq_domains_name ON domains (owner_id, name)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_domains_list ON domains (owner_id, id)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_domains_check_at ON domains (check_at)")
    op.execute(_EVENTS.replace(":", r"\:"))
    op.execute(
        "CREATE OR REPLACE TRIGGER events AFTER UPDATE OF status ON domains FOR EACH ROW"
        " WHEN (OLD.status <> NEW.status AND NEW.status <> 'pending') EXECUTE FUNCTION postern_domain_events()"
    )
    op.execute("SELECT postern_audit_install('domains', 'domain', 'id', 'owner_id', 'name,status', '', '')")
    op.execute(
        "SELECT postern_audit_install('dkim_keys', 'dkimKey', 'id', 'owner_id',"
        " 'domain,selector,algorithm,state', 'key_encrypted', '')"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
