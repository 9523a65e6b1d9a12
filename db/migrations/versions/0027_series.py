"""Tables series and series_entries, and the column by which a project says that it is a step of a series."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0027_series"
down_revision = "0026_clicks"

_TABLES = """
CREATE TABLE IF NOT EXISTS series (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  status_reason text,
  category text NOT NULL DEFAULT 'promotional',
  channel text NOT NULL,
  topic_id uuid,
  segment_id uuid,
  existing text NOT NULL DEFAULT 'skip',
  stop_on_reply boolean NOT NULL DEFAULT true,
  stop_on_leave boolean NOT NULL DEFAULT false,
  on_missing_variable text NOT NULL DEFAULT 'empty',
  "window" jsonb,
  max_entries integer,
  steps jsonb NOT NULL DEFAULT '[]',
  first_delay integer NOT NULL DEFAULT 0,
  project_ids uuid[] NOT NULL DEFAULT '{}',
  begun integer NOT NULL DEFAULT 0,
  started_at timestamptz,
  conditions jsonb,
  read_to uuid,
  read_due_at timestamptz,
  read_begun_at timestamptz,
  read_excludes boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_series PRIMARY KEY (id),
  CONSTRAINT fk_series_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT fk_series_account_id FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT fk_series_topic_id FOREIGN KEY (topic_id) REFERENCES topics (id),
  CONSTRAINT fk_series_segment_id FOREIGN KEY (segment_id) REFERENCES segments (id),
  CONSTRAINT ck_series_status CHECK (status IN ('draft', 'running', 'paused', 'archived')),
  CONSTRAINT ck_series_status_reason CHECK (status_reason IN ('full', 'segment_failed', 'restored')),
  CONSTRAINT ck_series_category CHECK (category IN ('transactional', 'promotional')),
  CONSTRAINT ck_series_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_series_existing CHECK (existing IN ('skip', 'enter')),
  CONSTRAINT ck_series_on_missing_variable CHECK (on_missing_variable IN ('skip', 'empty')),
  CONSTRAINT ck_series_enters CHECK (topic_id IS NOT NULL OR segment_id IS NOT NULL)
);
CREATE INDEX IF NOT EXISTS ix_series_list ON series (owner_id, id);
CREATE INDEX IF NOT EXISTS ix_series_topic_id ON series (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_series_segment_id ON series (segment_id) WHERE segment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_series_running ON series (id) WHERE status = 'running';
CREATE INDEX IF NOT EXISTS ix_series_account_id ON series (account_id);

CREATE TABLE IF NOT EXISTS series_entries (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  series_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  stop_reason text,
  step integer NOT NULL DEFAULT 0,
  entered_at timestamptz NOT NULL DEFAULT now(),
  begun_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  recipient_id uuid,
  CONSTRAINT pk_series_entries PRIMARY KEY (id),
  CONSTRAINT fk_series_entries_series_id FOREIGN KEY (series_id) REFERENCES series (id),
  CONSTRAINT fk_series_entries_contact_id FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT ck_series_entries_state CHECK (state IN ('waiting', 'finished', 'stopped', 'excluded')),
  CONSTRAINT ck_series_entries_stop_reason CHECK (
    stop_reason IN ('withdrawn', 'replied', 'blocked', 'left', 'archived'))
);
CREATE UNIQUE INDEX IF NOT EXISTS uq_series_entries_person ON series_entries (series_id, contact_id);
CREATE INDEX IF NOT EXISTS ix_series_entries_contact_id ON series_entries (contact_id);
CREATE INDEX IF NOT EXISTS ix_series_entries_due ON series_entries (series_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS ix_series_entries_list ON series_entries (series_id, id);
CREATE INDEX IF NOT EXISTS ix_series_entries_owner_id ON series_entries (owner_id, id);
CREATE INDEX IF NOT EXISTS ix_series_entries_states ON series_entries (series_id, state, step, id)
  INCLUDE (stop_reason);
"""
_PROJECTS = "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS series_id uuid"


def upgrade() -> None:
    connection = op.get_bind()
    for script in (_TABLES, _PROJECTS):
        briefly(connection, lambda script=script: run(connection, script))
    build("ix_sending_projects_series_id", "sending_projects (series_id, id) WHERE series_id IS NOT NULL")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
