"""Creates the requests for a new password by mail."""

from alembic import op

revision = "0054"
down_revision = "0053"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS: an installation that was interrupted between two migrations runs them again.
    op.execute(
        "CREATE TABLE IF NOT EXISTS password_resets ("
        " id uuid NOT NULL CONSTRAINT pk_password_resets PRIMARY KEY,"
        " created_at timestamptz NOT NULL DEFAULT now(),"
        " user_id uuid CONSTRAINT fk_password_resets_user_id REFERENCES users (id) ON DELETE CASCADE,"
        " token_version integer, expires_at timestamptz NOT NULL, attempts integer NOT NULL DEFAULT 0,"
        " tried_at timestamptz, sent_at timestamptz, used_at timestamptz)"
    )
    op.execute("CREATE INDEX IF NOT EXISTS ix_password_resets_expires_at ON password_resets (expires_at)")
    op.execute("CREATE INDEX IF NOT EXISTS ix_password_resets_user_id ON password_resets (user_id)")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
