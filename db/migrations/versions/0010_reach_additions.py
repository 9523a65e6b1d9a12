"""Column only_added of reach_projects, and table reach_additions."""

from alembic import op

from db.scripts import briefly, run

revision = "0010_reach_additions"
down_revision = "0009_reconciliations"

_TABLES = """
CREATE TABLE reach_additions (
  credential_id uuid NOT NULL,
  project_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  CONSTRAINT pk_reach_additions PRIMARY KEY (credential_id, project_id, address_hash),
  CONSTRAINT fk_reach_additions_credential_id FOREIGN KEY (credential_id, project_id)
    REFERENCES reach_projects (credential_id, project_id) ON DELETE CASCADE
);
"""


def upgrade() -> None:
    connection = op.get_bind()

    def work() -> None:
        op.execute(
            "ALTER TABLE reach_projects ADD COLUMN IF NOT EXISTS only_added boolean NOT NULL DEFAULT false"
        )
        run(connection, _TABLES)

    briefly(connection, work)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
