"""Adds topics, the subscriptions of contacts to them, and the proof of consent; projects get an audience of topics.

Revision ID: 0073
Revises: 0072
"""

from alembic import op

revision = "0073"
down_revision = "0072"

_CHANNELS = "('sms', 'email', 'push', 'telegram', 'whatsapp')"
_TABLES = (
    """
CREATE TABLE IF NOT EXISTS topics (
  id uuid NOT NULL CONSTRAINT pk_topics PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_topics_owner_id REFERENCES users (id),
  key text NOT NULL,
  name text NOT NULL,
  description text,
  translations jsonb NOT NULL DEFAULT '[]'::jsonb,
  category text NOT NULL DEFAULT 'promotional'
    CONSTRAINT ck_topics_category CHECK (category IN ('transactional', 'promotional')),
  opt_in text NOT NULL DEFAULT 'double' CONSTRAINT ck_topics_opt_in CHECK (opt_in IN ('none', 'double')),
  public boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 0
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_topics_key ON topics (owner_id, key)",
    "CREATE INDEX IF NOT EXISTS ix_topics_list ON topics (owner_id, id)",
    # Owners are found by contact and topic: neither changes its owner, so their rows need no third foreign key.
    f"""
CREATE TABLE IF NOT EXISTS topic_subscriptions (
  id uuid NOT NULL CONSTRAINT pk_topic_subscriptions PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL
    CONSTRAINT fk_topic_subscriptions_contact_id REFERENCES contacts (id) ON DELETE CASCADE,
  topic_id uuid NOT NULL CONSTRAINT fk_topic_subscriptions_topic_id REFERENCES topics (id),
  channel text NOT NULL CONSTRAINT ck_topic_subscriptions_channel CHECK (channel IN {_CHANNELS}),
  state text NOT NULL CONSTRAINT ck_topic_subscriptions_state CHECK (state IN ('pending', 'active', 'withdrawn')),
  changed_at timestamptz NOT NULL DEFAULT now(),
  withdrawn_at timestamptz
)
""",
    (
        "CREATE UNIQUE INDEX IF NOT EXISTS uq_topic_subscriptions_key"
        " ON topic_subscriptions (contact_id, topic_id, channel)"
    ),
    "CREATE INDEX IF NOT EXISTS ix_topic_subscriptions_list ON topic_subscriptions (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_topic_subscriptions_topic_id ON topic_subscriptions (topic_id, id)",
    (
        "CREATE INDEX IF NOT EXISTS ix_topic_subscriptions_active"
        " ON topic_subscriptions (topic_id, channel, contact_id) WHERE state = 'active'"
    ),
    """
CREATE TABLE IF NOT EXISTS consent_texts (
  id uuid NOT NULL CONSTRAINT pk_consent_texts PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_consent_texts_owner_id REFERENCES users (id),
  sha256 bytea NOT NULL,
  text text NOT NULL
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_consent_texts_sha256 ON consent_texts (owner_id, sha256)",
    f"""
CREATE TABLE IF NOT EXISTS consent_entries (
  id uuid NOT NULL CONSTRAINT pk_consent_entries PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  channel text NOT NULL CONSTRAINT ck_consent_entries_channel CHECK (channel IN {_CHANNELS}),
  action text NOT NULL CONSTRAINT ck_consent_entries_action
    CHECK (action IN ('asked', 'confirmed', 'recorded', 'withdrawn', 'expired')),
  source text NOT NULL CONSTRAINT ck_consent_entries_source
    CHECK (source IN ('form', 'page', 'api', 'import', 'unsubscribeLink', 'merge', 'service')),
  text_id uuid CONSTRAINT fk_consent_entries_text_id REFERENCES consent_texts (id),
  evidence text,
  ip text,
  user_agent text,
  actor_id uuid
)
""",
    "CREATE INDEX IF NOT EXISTS ix_consent_entries_list ON consent_entries (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_consent_entries_contact_id ON consent_entries (contact_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_consent_entries_topic_id ON consent_entries (topic_id, id)",
    """
CREATE OR REPLACE FUNCTION postern_keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A contact that is merged into another one takes its entries along.
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'contact_id' = to_jsonb(OLD) - 'contact_id' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'proof of consent can be added only: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$
""",
    """
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON consent_entries
  FOR EACH ROW EXECUTE FUNCTION postern_keep_consent()
""",
    """
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON consent_texts
  FOR EACH ROW EXECUTE FUNCTION postern_keep_consent()
""",
    """
CREATE TABLE IF NOT EXISTS signup_forms (
  id uuid NOT NULL CONSTRAINT pk_signup_forms PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_signup_forms_owner_id REFERENCES users (id),
  name text NOT NULL,
  topic_uuids uuid[] NOT NULL,
  text text,
  from_address text,
  redirect_url text,
  enabled boolean NOT NULL DEFAULT true
)
""",
    "CREATE INDEX IF NOT EXISTS ix_signup_forms_list ON signup_forms (owner_id, id)",
    """
CREATE TABLE IF NOT EXISTS opt_ins (
  id uuid NOT NULL CONSTRAINT pk_opt_ins PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_opt_ins_owner_id REFERENCES users (id),
  contact_id uuid NOT NULL CONSTRAINT fk_opt_ins_contact_id REFERENCES contacts (id) ON DELETE CASCADE,
  new_contact boolean NOT NULL,
  channel text NOT NULL CONSTRAINT ck_opt_ins_channel CHECK (channel IN ('sms', 'email', 'push')),
  address text NOT NULL,
  topic_ids uuid[] NOT NULL,
  text_id uuid CONSTRAINT fk_opt_ins_text_id REFERENCES consent_texts (id),
  from_address text,
  reminded_at timestamptz,
  confirmed_at timestamptz
)
""",
    "CREATE INDEX IF NOT EXISTS ix_opt_ins_contact_id ON opt_ins (contact_id)",
    "CREATE INDEX IF NOT EXISTS ix_opt_ins_created_at ON opt_ins (created_at)",
    "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS audience jsonb",
    "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS audience_to uuid",
    "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS audience_read_at timestamptz",
    "ALTER TABLE recipients ADD COLUMN IF NOT EXISTS contact_id uuid",
)
# Subscriptions have a history of their own, which says more than the audit would.
_AUDITED = (
    ("topics", "topic", "key,name,description,category,opt_in,public,position", ""),
    ("signup_forms", "signupForm", "name,topic_uuids,from_address,redirect_url,enabled", "text"),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for statement in _TABLES:
        op.get_bind().exec_driver_sql(statement)
    for table, kind, shown, hashed in _AUDITED:
        op.execute(
            f"SELECT postern_audit_install('{table}', '{kind}', 'id', 'owner_id', '{shown}', '', '{hashed}')"
        )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
