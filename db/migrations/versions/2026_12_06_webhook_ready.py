"""webhook_ready: the next events of a webhook, and which of them are behind a failed one.

The function is planned without sorts. A planner that last saw this table almost empty takes every index of a webhook's
deliveries for equally good, and read all that waited of the webhook once for each event. Only the right index has the
order that is asked for here.
"""

from alembic import op

revision = "0043"
down_revision = "0042"

# `is_behind`: a failed event of the thread waits, or an earlier one that is behind one. The latter counts by itself,
# too: where the failed event was given up, its thread goes on in order.
_READY = """
CREATE OR REPLACE FUNCTION webhook_ready(webhook uuid, in_memory bigint[], without_threads text[], most int)
RETURNS TABLE (id uuid, seq bigint, is_behind boolean)
LANGUAGE sql STABLE SET enable_sort = off SET enable_incremental_sort = off SET enable_seqscan = off
SET enable_bitmapscan = off AS $$
  SELECT d.id, d.seq, EXISTS (
    SELECT FROM (
      SELECT f.webhook_id, f.thread FROM webhook_deliveries AS f
      WHERE f.state = 'waiting' AND f.next_at IS NOT NULL AND (f.webhook_id, f.thread) >= (webhook, d.thread)
      ORDER BY f.webhook_id, f.thread LIMIT 1
    ) AS failed WHERE failed.webhook_id = webhook AND failed.thread = d.thread
  ) OR EXISTS (
    SELECT FROM (
      SELECT b.webhook_id, b.thread, b.seq FROM webhook_deliveries AS b
      WHERE b.state = 'waiting' AND b.behind_failed
        AND (b.webhook_id, b.thread, b.seq) >= (webhook, d.thread, 0::bigint)
      ORDER BY b.webhook_id, b.thread, b.seq LIMIT 1
    ) AS behind WHERE behind.webhook_id = webhook AND behind.thread = d.thread AND behind.seq < d.seq
  ) FROM (
    SELECT n.id, n.seq, n.thread FROM webhook_deliveries AS n
    WHERE n.webhook_id = webhook AND n.state = 'waiting' AND n.next_at IS NULL AND NOT n.behind_failed
      AND n.seq <> ALL(in_memory) AND n.thread <> ALL(without_threads)
    ORDER BY n.seq LIMIT most
  ) AS d
$$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_READY.replace(":", r"\:"))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
