"""The table media: pictures of letters, which everybody who has the address may see."""

from alembic import op

from db.scripts import briefly, run

revision = "0021_media"
down_revision = "0020_templates"

_TABLE = """
CREATE TABLE media (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  public_name text NOT NULL,
  mime text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  frames integer NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_media PRIMARY KEY (id),
  CONSTRAINT fk_media_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT uq_media_public_name UNIQUE (public_name)
);
CREATE INDEX ix_media_owner_id_id ON media (owner_id, id);
CREATE INDEX ix_media_owner_id_name_id ON media (owner_id, name, id);
CREATE INDEX ix_media_owner_id_size_id ON media (owner_id, size, id);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLE))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
