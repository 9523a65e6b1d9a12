"""Columns approval_above of api_tokens and memberships, and tables reach_counters, reach_recipients, reach_projects."""

from alembic import op

from db.scripts import briefly, run

revision = "0008_approval_above"
down_revision = "0007_plans"

_TABLES = """
CREATE TABLE reach_counters (
  credential_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  recipients integer NOT NULL,
  CONSTRAINT pk_reach_counters PRIMARY KEY (credential_id),
  CONSTRAINT fk_reach_counters_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX ix_reach_counters_owner_id ON reach_counters (owner_id);
CREATE TABLE reach_recipients (
  credential_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  counts_until timestamptz NOT NULL,
  CONSTRAINT pk_reach_recipients PRIMARY KEY (credential_id, address_hash),
  CONSTRAINT fk_reach_recipients_credential_id FOREIGN KEY (credential_id)
    REFERENCES reach_counters (credential_id) ON DELETE CASCADE
);
CREATE INDEX ix_reach_recipients_counts_until ON reach_recipients (credential_id, counts_until);
CREATE TABLE reach_projects (
  credential_id uuid NOT NULL,
  project_id uuid NOT NULL,
  renewed_at timestamptz NOT NULL,
  CONSTRAINT pk_reach_projects PRIMARY KEY (credential_id, project_id),
  CONSTRAINT fk_reach_projects_credential_id FOREIGN KEY (credential_id)
    REFERENCES reach_counters (credential_id) ON DELETE CASCADE,
  CONSTRAINT fk_reach_projects_project_id FOREIGN KEY (project_id) REFERENCES sending_projects (id) ON DELETE CASCADE
);
CREATE INDEX ix_reach_projects_project_id ON reach_projects (project_id);
"""


def upgrade() -> None:
    connection = op.get_bind()

    def work() -> None:
        op.execute("ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS approval_above integer")
        op.execute("ALTER TABLE memberships ADD COLUMN IF NOT EXISTS approval_above integer")
        run(connection, _TABLES)

    briefly(connection, work)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
