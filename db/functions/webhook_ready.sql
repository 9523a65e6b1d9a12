-- Returns events of a webhook that have not been tried. `is_behind`: a failed event of the thread waits, or an
-- earlier one that is behind one. The latter counts by itself, too: where the failed event was given up, its thread
-- goes on in order. It is planned without sorts (decision 0048).
CREATE OR REPLACE FUNCTION webhook_ready(
  webhook uuid, in_memory bigint[], without_threads text[], most integer
) RETURNS TABLE(id uuid, seq bigint, is_behind boolean)
LANGUAGE sql STABLE SET enable_sort = off
SET enable_incremental_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
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
$$;
