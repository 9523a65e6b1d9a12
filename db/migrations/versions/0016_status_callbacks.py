"""Columns status_callback and callback_id of messages, the endpoints of status callbacks, and their secrets."""

from alembic import op

from db.migrations.indexes import build
from db.scripts import briefly, run

revision = "0016_status_callbacks"
down_revision = "0015_messages_anywhere"

_MESSAGES = """
ALTER TABLE messages ADD COLUMN IF NOT EXISTS status_callback text, ADD COLUMN IF NOT EXISTS callback_id uuid;
"""
_WEBHOOKS = """
ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS is_callback boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS used_until timestamptz, ALTER COLUMN secret_encrypted DROP NOT NULL;
"""
_DELIVERIES = "ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS url text;"
_SECRETS = """
CREATE TABLE IF NOT EXISTS callback_secrets (
  id uuid CONSTRAINT pk_callback_secrets PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT uq_callback_secrets_owner_id UNIQUE
    CONSTRAINT fk_callback_secrets_owner_id_users REFERENCES users (id) ON DELETE CASCADE,
  secret_encrypted bytea NOT NULL,
  old_secret_encrypted bytea,
  old_secret_until timestamptz
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    for script in (_MESSAGES, _WEBHOOKS, _DELIVERIES, _SECRETS):
        briefly(connection, lambda script=script: run(connection, script))
    build("ix_webhooks_callbacks", "webhooks (owner_id, url) WHERE is_callback")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
