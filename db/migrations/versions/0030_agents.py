"""Clients and grants of OAuth, by which agents are connected."""

from alembic import op

from db.scripts import briefly, run

revision = "0030_agents"
down_revision = "0029_results"

_TABLES = """
CREATE TABLE agent_clients (
  client_id text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  by_itself boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_agent_clients PRIMARY KEY (client_id)
);
CREATE TABLE agent_grants (
  token_id uuid NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  code_hash bytea NOT NULL,
  code_challenge text NOT NULL,
  code_expires_at timestamptz NOT NULL,
  code_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_agent_grants PRIMARY KEY (token_id),
  CONSTRAINT uq_agent_grants_code_hash UNIQUE (code_hash),
  CONSTRAINT fk_agent_grants_token_id FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE CASCADE
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
