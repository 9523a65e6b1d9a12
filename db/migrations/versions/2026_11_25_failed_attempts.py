"""failed_attempts: why earlier attempts to send a message failed, for messages that were queued again.

A trigger keeps them, so that every way back into the queue is covered: a failure that is repeated, a worker that died, a
retry that a user asks for. For all other changes only its condition is evaluated.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0031"
down_revision = "0030"

# The first attempts are dropped when there are more than 20.
_FUNCTION = """
CREATE FUNCTION postern_keep_failed_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept jsonb \\:= COALESCE(OLD.failed_attempts, '[]') || jsonb_build_object(
    'at', COALESCE(OLD.handed_at, OLD.updated_at), 'code', NEW.failure_code, 'reason', NEW.failure_reason,
    'provider', NEW.provider);
BEGIN
  NEW.failed_attempts \\:= CASE WHEN jsonb_array_length(kept) > 20 THEN kept - 0 ELSE kept END;
  RETURN NEW;
END $$
"""
# A message that is withdrawn before it was dispatched is queued with what was known before: that is no new failure.
_TRIGGER = """
CREATE TRIGGER keep_failed_attempt BEFORE UPDATE ON {table} FOR EACH ROW
WHEN (NEW.{state} = 'queued' AND NEW.failure_code IS NOT NULL AND (
  OLD.{state} IN ('failed', 'unknown')
  OR (OLD.{state} = 'sending'
    AND (NEW.attempts > OLD.attempts OR NEW.failure_code IS DISTINCT FROM OLD.failure_code))))
EXECUTE FUNCTION postern_keep_failed_attempt()
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_FUNCTION)
    for table, state in (("messages", "state"), ("message_records", "status")):
        op.add_column(table, sa.Column("failed_attempts", JSONB(), nullable=True))
        op.execute(_TRIGGER.format(table=table, state=state))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
