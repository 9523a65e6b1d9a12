"""Clicks: the tables click_links and clicks, and the columns that say whose links are counted."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0026_clicks"
down_revision = "0025_brand_domains"

_COLUMNS = (
    "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS track_clicks boolean;",
    "ALTER TABLE brands ADD COLUMN IF NOT EXISTS track_clicks boolean NOT NULL DEFAULT false;",
)
_TABLES = """
CREATE TABLE IF NOT EXISTS click_links (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  url text NOT NULL,
  humans bigint NOT NULL DEFAULT 0,
  machines bigint NOT NULL DEFAULT 0,
  anonymous bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_click_links PRIMARY KEY (id),
  CONSTRAINT fk_click_links_project_id FOREIGN KEY (project_id) REFERENCES sending_projects (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS clicks (
  message_id uuid NOT NULL,
  link_id uuid NOT NULL,
  project_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  machine text,
  at timestamptz NOT NULL,
  CONSTRAINT pk_clicks PRIMARY KEY (message_id, link_id),
  CONSTRAINT ck_clicks_machine CHECK (machine IN ('head', 'crawler', 'soon')),
  CONSTRAINT fk_clicks_link_id FOREIGN KEY (link_id) REFERENCES click_links (id) ON DELETE CASCADE
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    for script in (*_COLUMNS, _TABLES):
        briefly(connection, lambda script=script: run(connection, script))
    build("ix_click_links_project_id_id", "click_links (project_id, id)")
    build("ix_clicks_link_id_message_id", "clicks (link_id, message_id)")
    build("ix_clicks_project_id_message_id", "clicks (project_id, message_id)")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
