"""Fewer bytes of a message: its events are written once, and its address has an index when it is reached."""

from functools import partial

from alembic import op

from db.migrations import indexes
from db.scripts import briefly, run

revision = "0036_fewer_bytes"
down_revision = "0035_receivers"

_REACHED = """messages (channel, COALESCE(address_key, "to"), id)
  WHERE direction = 'outbound' AND (state = ANY (ARRAY['sent', 'delivered']))"""

# A process of before this would move a row of the inbox without its number; it fails, and a newer one moves the row.
# Events that are stored already stay as they are. Columns with a constant default rewrite no row.
_EVENTS = """
ALTER TABLE events
  ALTER COLUMN id DROP NOT NULL,
  ALTER COLUMN type DROP NOT NULL,
  ALTER COLUMN subject DROP NOT NULL,
  ALTER COLUMN subject_id DROP NOT NULL,
  ALTER COLUMN data DROP NOT NULL,
  ADD COLUMN IF NOT EXISTS seq bigint,
  ADD COLUMN IF NOT EXISTS count integer NOT NULL DEFAULT 1,
  DROP CONSTRAINT IF EXISTS ck_events_seq,
  ADD CONSTRAINT ck_events_seq CHECK ((type IS NULL) = (seq IS NOT NULL)) NOT VALID
"""
_INBOX = """
ALTER TABLE event_inbox
  ALTER COLUMN id DROP NOT NULL,
  ALTER COLUMN type DROP NOT NULL,
  ALTER COLUMN subject DROP NOT NULL,
  ALTER COLUMN subject_id DROP NOT NULL,
  ALTER COLUMN data DROP NOT NULL,
  ADD COLUMN IF NOT EXISTS count integer NOT NULL DEFAULT 1
"""
_GROUPS = """
CREATE TYPE message_event AS (
  created_at timestamptz,
  sent_at timestamptz,
  subject_id uuid,
  project_id uuid,
  account_id uuid,
  recipient_id uuid,
  type text,
  channel text,
  "to" text,
  price numeric,
  provider_message_id text,
  data jsonb
);
CREATE TABLE message_events (
  owner_id uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT now(),
  subject text NOT NULL,
  events message_event[] NOT NULL,
  CONSTRAINT pk_message_events PRIMARY KEY (owner_id, seq)
)
"""


def upgrade() -> None:
    connection = op.get_bind()
    if not connection.exec_driver_sql("SELECT to_regclass('message_events')").scalar():
        run(connection, _GROUPS)
    for script in (_EVENTS, _INBOX):
        with op.get_context().autocommit_block():  # each table in a transaction of its own
            pass
        briefly(connection, partial(run, connection, script))
    with op.get_context().autocommit_block():
        # The statement reads the whole table, under a lock that lets other sessions read and write it.
        op.execute("ALTER TABLE events VALIDATE CONSTRAINT ck_events_seq")
    # Queued messages have no entry in it, and a message that is sent has one where it had four.
    indexes.build("ix_messages_reached", _REACHED)
    indexes.drop("ix_messages_conversation_key")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
