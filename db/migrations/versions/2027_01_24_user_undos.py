"""Keeps the address that a user had before a change of the email, and the mails that tell users of changes.

Revision ID: 0090
Revises: 0089
"""

from db.migrations.locks import change_briefly

revision = "0090"
down_revision = "0089"
branch_labels = None
depends_on = None

# IF NOT EXISTS: an installation that was interrupted between two migrations runs them again.
_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS user_undos (
  id uuid NOT NULL CONSTRAINT pk_user_undos PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL CONSTRAINT uq_user_undos_user_id UNIQUE
    CONSTRAINT fk_user_undos_user_id REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  since timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  is_deletion boolean NOT NULL DEFAULT false
)
""",
    "CREATE INDEX IF NOT EXISTS ix_user_undos_email ON user_undos (email)",
    "CREATE INDEX IF NOT EXISTS ix_user_undos_expires_at ON user_undos (expires_at)",
    """
CREATE TABLE IF NOT EXISTS user_notices (
  id uuid NOT NULL CONSTRAINT pk_user_notices PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL CONSTRAINT fk_user_notices_user_id REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  changes text[] NOT NULL,
  undo_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  tried_at timestamptz,
  sent_at timestamptz
)
""",
    "CREATE INDEX IF NOT EXISTS ix_user_notices_user_id ON user_notices (user_id)",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)  # a foreign key to users waits for all that write them


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
