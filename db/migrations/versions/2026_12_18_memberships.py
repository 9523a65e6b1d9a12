"""Creates the memberships of people who act for an owner, with their events, and the makers of tokens and webhooks."""

from alembic import op

revision = "0055"
down_revision = "0054"

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS memberships (
  id uuid NOT NULL CONSTRAINT pk_memberships PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_memberships_owner_id REFERENCES users (id) ON DELETE CASCADE,
  member_id uuid CONSTRAINT fk_memberships_member_id REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL,
  permissions text[],
  invited_by uuid CONSTRAINT fk_memberships_invited_by REFERENCES users (id) ON DELETE SET NULL,
  token_hash bytea,
  expires_at timestamptz,
  joined_at timestamptz,
  CONSTRAINT ck_memberships_another CHECK (member_id <> owner_id)
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_memberships_email ON memberships (owner_id, email)",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_memberships_member ON memberships (member_id, owner_id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_memberships_token ON memberships (token_hash) WHERE token_hash IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS ix_memberships_list ON memberships (owner_id, id)",
    """
CREATE OR REPLACE FUNCTION postern_member_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE member memberships; happened text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    member = OLD; happened = 'member.removed';
  ELSIF TG_OP = 'INSERT' THEN
    member = NEW; happened = 'member.invited';
  ELSE
    member = NEW;
    happened = CASE
      WHEN OLD.member_id IS NULL AND NEW.member_id IS NOT NULL THEN 'member.joined' ELSE 'member.changed' END;
  END IF;
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = member.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (member.owner_id, happened, 'member', member.id, NULL, NULL, jsonb_build_object('uuid', member.id,
      'email', member.email, 'userUuid', member.member_id, 'role', member.role, 'permissions', member.permissions,
      'createdAt', postern_utc(member.created_at), 'joinedAt', postern_utc(member.joined_at)));
  END IF;
  RETURN NULL;
END $$
""",
    """
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON memberships FOR EACH ROW
EXECUTE FUNCTION postern_member_events()
""",
    """
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF member_id, role, permissions ON memberships FOR EACH ROW
WHEN (OLD.member_id IS DISTINCT FROM NEW.member_id OR OLD.role IS DISTINCT FROM NEW.role
  OR OLD.permissions IS DISTINCT FROM NEW.permissions) EXECUTE FUNCTION postern_member_events()
""",
    """
CREATE OR REPLACE TRIGGER events_delete AFTER DELETE ON memberships FOR EACH ROW
EXECUTE FUNCTION postern_member_events()
""",
    "ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS created_by uuid",
    "CREATE INDEX IF NOT EXISTS ix_api_tokens_created_by ON api_tokens (created_by) WHERE created_by IS NOT NULL",
    "ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS saved_by uuid",
    "ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS query_scopes text[]",
    "CREATE INDEX IF NOT EXISTS ix_webhooks_saved_by ON webhooks (saved_by) WHERE saved_by IS NOT NULL",
)


def upgrade() -> None:
    # Each statement is a transaction of its own: running processes lock users and tokens in orders of their own.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for statement in _STATEMENTS:
            op.get_bind().exec_driver_sql(statement)
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
