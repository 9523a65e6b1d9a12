"""Columns for projects in several languages, and for what a template's version says of its making and carries."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0024_template_uses"
down_revision = "0023_scheduled_messages"

_PROJECTS = "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS languages jsonb;"
_VERSIONS = """
ALTER TABLE template_versions ADD COLUMN IF NOT EXISTS made_by uuid,
  ADD COLUMN IF NOT EXISTS saved_by uuid, ADD COLUMN IF NOT EXISTS published_by uuid,
  ADD COLUMN IF NOT EXISTS problems jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN IF NOT EXISTS attachment_uuids uuid[] NOT NULL DEFAULT '{}';
"""
_WORDS = """
CREATE TABLE IF NOT EXISTS template_words (
  template_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT pk_template_words PRIMARY KEY (template_id),
  CONSTRAINT fk_template_words_template_id FOREIGN KEY (template_id) REFERENCES templates (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS ix_template_words_words ON template_words USING gin (words) WITH (fastupdate = off);
"""
# As `INDEX_WORDS` in resolvers/templates/template_rows.py does when a template is saved.
_FILL = """
INSERT INTO template_words (template_id, owner_id, words)
SELECT t.id, t.owner_id, array_to_tsvector(ARRAY(
    SELECT DISTINCT left(w.lexeme, 40) FROM (
      SELECT concat_ws(' ', t.key, t.name) AS body
      UNION ALL
      SELECT concat_ws(' ', x.subject, x.preheader, left(x.text, 10000),
        regexp_replace(left(x.html, 30000), '<[^>]*>', ' ', 'g'))
      FROM template_texts AS x WHERE x.version_id IN (
        (SELECT id FROM template_versions WHERE template_id = t.id AND number = t.version)
        UNION ALL (SELECT id FROM template_versions WHERE template_id = t.id AND number IS NULL
          ORDER BY updated_at DESC LIMIT 1)
      )
    ) AS texts CROSS JOIN LATERAL unnest(postern_words(texts.body)) AS w LIMIT 5000
  ))
FROM templates AS t
ON CONFLICT DO NOTHING
"""


def upgrade() -> None:
    connection = op.get_bind()
    for script in (_PROJECTS, _VERSIONS, _WORDS):
        briefly(connection, lambda script=script: run(connection, script))
    op.execute(_FILL)
    build(
        "ix_template_versions_attachments",
        "template_versions (owner_id) WHERE attachment_uuids <> '{}'::uuid[]",
    )
    build(
        "ix_repeatable_projects_template_id",
        "repeatable_projects ((template ->> 'templateId'), id) WHERE template ->> 'templateId' IS NOT NULL",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
