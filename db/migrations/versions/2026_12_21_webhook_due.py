"""webhook_due: the failed events of a webhook whose time has come, read by the indexes of failed events.

Every index of the table looks equally good while its statistics are those of an empty table, and a plan that is kept
from then reads all events that wait, again and again. Without sorts only an index in the right order is left.
"""

from alembic import op

revision = "0058"
down_revision = "0057"

# Failed are those with a time of the next attempt. `ended`: when the waits of the webhook's events were ended by hand
# or by a success. A process of an earlier release stored no `failed_at`: such an event failed before.
_DUE = """
CREATE OR REPLACE FUNCTION webhook_due(webhook uuid, present timestamptz, ended timestamptz, without_threads text[],
  most int)
RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SET enable_sort = off SET enable_incremental_sort = off SET enable_seqscan = off
SET enable_bitmapscan = off AS $$
  (SELECT d.id FROM webhook_deliveries AS d
  WHERE d.webhook_id = webhook AND d.state = 'waiting' AND d.next_at IS NOT NULL AND d.next_at <= present
    AND d.thread <> ALL(without_threads)
  ORDER BY d.next_at LIMIT most)
  UNION
  (SELECT d.id FROM webhook_deliveries AS d
  WHERE d.webhook_id = webhook AND d.state = 'waiting' AND d.next_at IS NOT NULL AND d.failed_at <= ended
    AND d.thread <> ALL(without_threads)
  ORDER BY d.failed_at LIMIT most)
  UNION
  (SELECT d.id FROM webhook_deliveries AS d
  WHERE d.webhook_id = webhook AND d.state = 'waiting' AND d.next_at IS NOT NULL AND d.failed_at IS NULL
    AND ended IS NOT NULL AND d.thread <> ALL(without_threads)
  ORDER BY d.webhook_id, d.failed_at LIMIT most)
  LIMIT most
$$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_DUE.replace(":", r"\:"))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
