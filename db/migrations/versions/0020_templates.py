"""Tables of templates, and the columns by which messages and projects say from which template their text comes."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0020_templates"
down_revision = "0019_follow_ups"

_TABLES = """
CREATE TABLE IF NOT EXISTS templates (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  category text NOT NULL DEFAULT 'transactional',
  version integer,
  archived_at timestamptz,
  CONSTRAINT pk_templates PRIMARY KEY (id),
  CONSTRAINT fk_templates_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_templates_category CHECK (category IN ('transactional', 'promotional'))
);
CREATE UNIQUE INDEX IF NOT EXISTS uq_templates_key ON templates (owner_id, key);
CREATE INDEX IF NOT EXISTS ix_templates_list ON templates (owner_id, id);

CREATE TABLE IF NOT EXISTS template_versions (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  template_id uuid NOT NULL,
  number integer,
  locales text[] NOT NULL,
  default_locale text NOT NULL,
  layout_key text,
  test_data jsonb NOT NULL DEFAULT '{}',
  parts jsonb NOT NULL DEFAULT '[]',
  published_at timestamptz,
  CONSTRAINT pk_template_versions PRIMARY KEY (id),
  CONSTRAINT fk_template_versions_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT fk_template_versions_template_id FOREIGN KEY (template_id) REFERENCES templates (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX IF NOT EXISTS uq_template_versions_number ON template_versions (template_id, number);
CREATE INDEX IF NOT EXISTS ix_template_versions_list ON template_versions (owner_id, id);
CREATE INDEX IF NOT EXISTS ix_template_versions_template_id ON template_versions (template_id, id);

CREATE TABLE IF NOT EXISTS template_texts (
  version_id uuid NOT NULL,
  locale text NOT NULL,
  owner_id uuid NOT NULL,
  subject text,
  preheader text,
  text text,
  html text,
  sent_text text,
  sent_html text,
  variable_names text[] NOT NULL DEFAULT '{}',
  required_variables text[] NOT NULL DEFAULT '{}',
  CONSTRAINT pk_template_texts PRIMARY KEY (version_id, locale),
  CONSTRAINT fk_template_texts_version_id FOREIGN KEY (version_id) REFERENCES template_versions (id) ON DELETE CASCADE
);
"""
_MESSAGES = """
ALTER TABLE messages ADD COLUMN IF NOT EXISTS template_id uuid, ADD COLUMN IF NOT EXISTS template_version integer,
  ADD COLUMN IF NOT EXISTS template_locale text;
"""
_PROJECTS = """
ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS template_id uuid,
  ADD COLUMN IF NOT EXISTS template_version integer, ADD COLUMN IF NOT EXISTS template_locale text;
"""


def upgrade() -> None:
    connection = op.get_bind()
    for script in (_TABLES, _MESSAGES, _PROJECTS):
        briefly(connection, lambda script=script: run(connection, script))
    build(
        "ix_sending_projects_template_id", "sending_projects (template_id, id) WHERE template_id IS NOT NULL"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
