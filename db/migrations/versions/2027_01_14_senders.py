"""Senders of SMS and of emails are rows of their owners, which administrators approve.

Revision ID: 0080
Revises: 0079
"""

from db.migrations.locks import change_briefly

revision = "0080"
down_revision = "0079"
branch_labels = None
depends_on = None

_SENDERS = """
CREATE TABLE IF NOT EXISTS senders (
  id uuid NOT NULL CONSTRAINT pk_senders PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_senders_owner_id REFERENCES users (id),
  channel text NOT NULL CONSTRAINT ck_senders_channel CHECK (channel IN ('sms', 'email', 'push')),
  kind text NOT NULL CONSTRAINT ck_senders_kind CHECK (kind IN ('alpha', 'number', 'short', 'email')),
  value text NOT NULL,
  value_key text NOT NULL,
  domain_id uuid CONSTRAINT fk_senders_domain_id REFERENCES domains (id) ON DELETE CASCADE,
  countries text[] NOT NULL DEFAULT '{}'::text[],
  state text CONSTRAINT ck_senders_state CHECK (state IN ('pending', 'approved', 'refused')),
  reason text,
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT ck_senders_kinds CHECK ((kind = 'email') = (channel = 'email')
    AND (kind = 'email') = (domain_id IS NOT NULL) AND (kind = 'email') = (state IS NULL))
)
"""
_INDEXES = (
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_senders_value ON senders (owner_id, channel, value_key)",
    """
CREATE UNIQUE INDEX IF NOT EXISTS uq_senders_name ON senders (value_key) WHERE kind = 'alpha' AND state = 'approved'
""",
    "CREATE INDEX IF NOT EXISTS ix_senders_list ON senders (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_senders_value_key ON senders (value_key, id)",
    "CREATE INDEX IF NOT EXISTS ix_senders_domain_id ON senders (domain_id)",
)
_EVENTS = """
CREATE OR REPLACE FUNCTION postern_sender_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.state WHEN 'pending' THEN 'sender.requested' ELSE 'sender.' || NEW.state END,
      'sender', NEW.id, NULL, NULL, jsonb_build_object(
        'uuid', NEW.id, 'channel', NEW.channel, 'kind', NEW.kind, 'value', NEW.value, 'countries', NEW.countries,
        'state', NEW.state, 'reason', NEW.reason, 'decidedAt', postern_utc(NEW.decided_at)));
  END IF;
  RETURN NULL;
END $$
"""
_TRIGGERS = (
    """
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON senders FOR EACH ROW
WHEN (NEW.state IS NOT NULL) EXECUTE FUNCTION postern_sender_events()
""",
    """
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF state ON senders FOR EACH ROW
WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION postern_sender_events()
""",
)
_AUDIT = """
SELECT postern_audit_install('senders', 'sender', 'id', 'owner_id',
  'channel,kind,value,countries,state,reason,decided_by', '', '')
"""
_COLUMNS = (
    "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS sender text",
    "ALTER TABLE message_records ADD COLUMN IF NOT EXISTS sender text",
)


def upgrade() -> None:
    change_briefly((_SENDERS, *_INDEXES, _EVENTS, *_TRIGGERS, _AUDIT, *_COLUMNS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
