"""Contacts that meet conditions are segments, and projects are sent to them.

Revision ID: 0075
Revises: 0074
"""

from alembic import op

revision = "0075"
down_revision = "0074"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("""
CREATE TABLE IF NOT EXISTS segments (
  id uuid NOT NULL CONSTRAINT pk_segments PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_segments_owner_id REFERENCES users (id),
  name text NOT NULL,
  filter jsonb NOT NULL,
  size integer NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now()
)
""")
    op.execute("CREATE UNIQUE INDEX IF NOT EXISTS uq_segments_name ON segments (owner_id, name)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_segments_list ON segments (owner_id, id)")
    op.execute("ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS audience_segments jsonb")
    op.execute("SELECT postern_audit_install('segments', 'segment', 'id', 'owner_id', 'name', '', 'filter')")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
