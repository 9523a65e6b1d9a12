"""Emails that were submitted as a whole, until all of their messages have left."""

from alembic import op

from db.scripts import briefly, run

revision = "0032_submissions"
down_revision = "0031_series_languages"

_TABLES = """
CREATE TABLE submitted_mails (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  message_ids uuid[] NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_submitted_mails PRIMARY KEY (id)
);
ALTER TABLE submitted_mails ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX ix_submitted_mails_owner_id ON submitted_mails (owner_id);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
