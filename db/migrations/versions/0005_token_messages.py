"""Column api_tokens.messages_per_day, and table api_token_messages."""

from alembic import op

from db.scripts import briefly, run

revision = "0005_token_messages"
down_revision = "0004_purposes"

_TABLE = """
CREATE TABLE api_token_messages (
  token_id uuid NOT NULL,
  day date NOT NULL,
  messages integer NOT NULL,
  CONSTRAINT pk_api_token_messages PRIMARY KEY (token_id),
  CONSTRAINT fk_api_token_messages_token_id FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
"""


def upgrade() -> None:
    connection = op.get_bind()

    def work() -> None:
        op.execute("ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS messages_per_day integer")
        run(connection, _TABLE)

    briefly(connection, work)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
