"""Creates the second factors of logins with their recovery codes, and their events."""

from alembic import op

revision = "0052"
down_revision = "0051"

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS second_factors (
  id uuid NOT NULL CONSTRAINT pk_second_factors PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL CONSTRAINT fk_second_factors_user_id REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  secret_encrypted bytea,
  last_step bigint,
  confirmed_at timestamptz,
  last_used_at timestamptz
)
""",
    "CREATE INDEX IF NOT EXISTS ix_second_factors_user_id_id ON second_factors (user_id, id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_second_factors_totp ON second_factors (user_id) WHERE kind = 'totp'",
    """
CREATE TABLE IF NOT EXISTS recovery_codes (
  user_id uuid NOT NULL CONSTRAINT fk_recovery_codes_user_id REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, code_hash)
)
""",
    # A factor is added when it is confirmed, and removed only if it was.
    """
CREATE OR REPLACE FUNCTION postern_second_factor_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE factor second_factors; happened text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    factor = OLD; happened = 'secondFactor.removed';
  ELSE
    factor = NEW; happened = 'secondFactor.added';
  END IF;
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = factor.user_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (factor.user_id, happened, 'secondFactor', factor.id, NULL, NULL, jsonb_build_object('uuid', factor.id,
      'kind', factor.kind, 'name', factor.name, 'createdAt', postern_utc(factor.created_at),
      'confirmedAt', postern_utc(factor.confirmed_at), 'lastUsedAt', postern_utc(factor.last_used_at)));
  END IF;
  RETURN NULL;
END $$
""",
    """
CREATE OR REPLACE TRIGGER events_added AFTER UPDATE OF confirmed_at ON second_factors FOR EACH ROW
WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION postern_second_factor_events()
""",
    """
CREATE OR REPLACE TRIGGER events_removed AFTER DELETE ON second_factors FOR EACH ROW
WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION postern_second_factor_events()
""",
    "ALTER TABLE sessions ADD COLUMN IF NOT EXISTS second_factor_at timestamptz",
)


def upgrade() -> None:
    # Each statement is a transaction of its own: running processes lock users and sessions in orders of their own.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for statement in _STATEMENTS:
            op.get_bind().exec_driver_sql(statement)
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
