"""The table of brands: the dress of pages and mails for an owner's recipients."""

from alembic import op

from db.scripts import briefly, run

revision = "0022_brands"
down_revision = "0021_media"

_TABLE = """
CREATE TABLE brands (
  owner_id uuid NOT NULL,
  name text NOT NULL,
  colors jsonb NOT NULL,
  dark_colors jsonb,
  font text NOT NULL,
  address text,
  imprint text,
  links jsonb NOT NULL DEFAULT '[]'::jsonb,
  footers jsonb NOT NULL DEFAULT '[]'::jsonb,
  reply_address text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_brands PRIMARY KEY (owner_id),
  CONSTRAINT fk_brands_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_brands_font CHECK (font IN ('system', 'humanist', 'geometric', 'serif', 'slab', 'mono'))
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLE))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
