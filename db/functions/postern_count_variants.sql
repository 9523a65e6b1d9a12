-- Counts a project's messages by variant and state, as postern_count counts all of them.
CREATE OR REPLACE FUNCTION postern_count_variants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 8;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF EXISTS (SELECT FROM came WHERE variant IS NOT NULL)
      OR EXISTS (SELECT FROM went WHERE variant IS NOT NULL) THEN
      INSERT INTO variant_counters AS c (project_id, variant, shard, total, queued, sending, sent, delivered, read,
        failed, skipped, unknown, canceled, replied)
    SELECT project_id, variant, mine, sum(n), COALESCE(sum(n) FILTER (WHERE status = 'queued'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'sending'), 0), COALESCE(sum(n) FILTER (WHERE status = 'sent'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'delivered'), 0), COALESCE(sum(n) FILTER (WHERE status = 'read'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'failed'), 0), COALESCE(sum(n) FILTER (WHERE status = 'skipped'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'unknown'), 0), COALESCE(sum(n) FILTER (WHERE status = 'canceled'), 0),
      sum(replied)
    FROM (
      SELECT project_id, variant, status, +count(*) AS n, +count(replied_at) AS replied FROM came
        WHERE variant IS NOT NULL AND direction = 'outbound' GROUP BY project_id, variant, status
      UNION ALL SELECT project_id, variant, status, -count(*) AS n, -count(replied_at) AS replied FROM went
        WHERE variant IS NOT NULL AND direction = 'outbound' GROUP BY project_id, variant, status) AS moves
    GROUP BY project_id, variant ORDER BY project_id, variant
      ON CONFLICT (project_id, variant, shard) DO UPDATE SET
        total = c.total + EXCLUDED.total, queued = c.queued + EXCLUDED.queued,
          sending = c.sending + EXCLUDED.sending, sent = c.sent + EXCLUDED.sent,
          delivered = c.delivered + EXCLUDED.delivered, read = c.read + EXCLUDED.read,
          failed = c.failed + EXCLUDED.failed, skipped = c.skipped + EXCLUDED.skipped,
          unknown = c.unknown + EXCLUDED.unknown, canceled = c.canceled + EXCLUDED.canceled,
          replied = c.replied + EXCLUDED.replied;
    END IF;
  ELSE
    IF EXISTS (SELECT FROM came WHERE variant IS NOT NULL) THEN
      INSERT INTO variant_counters AS c (project_id, variant, shard, total, queued, sending, sent, delivered, read,
        failed, skipped, unknown, canceled, replied)
    SELECT project_id, variant, mine, sum(n), COALESCE(sum(n) FILTER (WHERE status = 'queued'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'sending'), 0), COALESCE(sum(n) FILTER (WHERE status = 'sent'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'delivered'), 0), COALESCE(sum(n) FILTER (WHERE status = 'read'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'failed'), 0), COALESCE(sum(n) FILTER (WHERE status = 'skipped'), 0),
      COALESCE(sum(n) FILTER (WHERE status = 'unknown'), 0), COALESCE(sum(n) FILTER (WHERE status = 'canceled'), 0),
      sum(replied)
    FROM (
      SELECT project_id, variant, status, +count(*) AS n, +count(replied_at) AS replied FROM came
        WHERE variant IS NOT NULL AND direction = 'outbound' GROUP BY project_id, variant, status) AS moves
    GROUP BY project_id, variant ORDER BY project_id, variant
      ON CONFLICT (project_id, variant, shard) DO UPDATE SET
        total = c.total + EXCLUDED.total, queued = c.queued + EXCLUDED.queued,
          sending = c.sending + EXCLUDED.sending, sent = c.sent + EXCLUDED.sent,
          delivered = c.delivered + EXCLUDED.delivered, read = c.read + EXCLUDED.read,
          failed = c.failed + EXCLUDED.failed, skipped = c.skipped + EXCLUDED.skipped,
          unknown = c.unknown + EXCLUDED.unknown, canceled = c.canceled + EXCLUDED.canceled,
          replied = c.replied + EXCLUDED.replied;
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER count_variants_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_variants();
CREATE OR REPLACE TRIGGER count_variants_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_variants();
