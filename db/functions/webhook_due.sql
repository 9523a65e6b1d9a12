-- Returns events of a webhook that failed and whose next attempt is due. Failed are those with a time of the next
-- attempt. `ended` is when the waits of the webhook's events were ended by hand or by a success. It is planned
-- without sorts (decision 0048).
CREATE OR REPLACE FUNCTION webhook_due(
  webhook uuid, present timestamptz, ended timestamptz, without_threads text[], most integer
) RETURNS TABLE(id uuid)
LANGUAGE sql STABLE SET enable_sort = off
SET enable_incremental_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
  (SELECT d.id FROM webhook_deliveries AS d
  WHERE d.webhook_id = webhook AND d.state = 'waiting' AND d.next_at IS NOT NULL AND d.next_at <= present
    AND d.thread <> ALL(without_threads)
  ORDER BY d.next_at LIMIT most)
  UNION
  (SELECT d.id FROM webhook_deliveries AS d
  WHERE d.webhook_id = webhook AND d.state = 'waiting' AND d.next_at IS NOT NULL AND d.failed_at <= ended
    AND d.thread <> ALL(without_threads)
  ORDER BY d.failed_at LIMIT most)
  LIMIT most
$$;
