"""failed_attempts: why earlier attempts to send a message failed, for messages that were queued again.

The statements of direct messages add to it themselves: a BEFORE trigger would lock each row that they update once more.
The messages of projects have such triggers anyway, and more statements that queue them again.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0031"
down_revision = "0030"

# The oldest attempt is dropped when there are more than 20.
_ADD = """
CREATE FUNCTION postern_failed_attempts(earlier jsonb, at timestamptz, code text, reason text, provider text)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_array_length(a.attempts) > 20 THEN a.attempts - 0 ELSE a.attempts END
  FROM (SELECT COALESCE(earlier, '[]') || jsonb_build_array(jsonb_build_object(
    'at', at, 'code', code, 'reason', reason, 'provider', provider)) AS attempts) AS a
$$
"""
_FUNCTION = """
CREATE FUNCTION postern_add_failed_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.failed_attempts \\:= postern_failed_attempts(
    OLD.failed_attempts, CASE WHEN OLD.status = 'sending' THEN now() ELSE OLD.updated_at END,
    NEW.failure_code, NEW.failure_reason, OLD.provider);
  RETURN NEW;
END $$
"""
# A message without `handed_at` was not submitted to a provider, and one that keeps it is asked about under the same key:
# neither is a failed attempt. What is withdrawn from a route that did not get it keeps the code that it had.
_TRIGGER = """
CREATE TRIGGER add_failed_attempt BEFORE UPDATE ON message_records FOR EACH ROW
WHEN (NEW.status = 'queued' AND OLD.handed_at IS NOT NULL AND NEW.failure_code <> 'not_dispatched' AND (
  OLD.status IN ('failed', 'unknown')
  OR (OLD.status = 'sending' AND NEW.handed_at IS NULL
    AND (NEW.attempts > OLD.attempts OR NEW.failure_code IS DISTINCT FROM OLD.failure_code))))
EXECUTE FUNCTION postern_add_failed_attempt()
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_ADD)
    op.execute(_FUNCTION)
    for table in ("messages", "message_records"):
        op.add_column(table, sa.Column("failed_attempts", JSONB(), nullable=True))
    op.execute(_TRIGGER)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
