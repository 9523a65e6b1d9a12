-- Counts a project's messages by state, time and reason of failure, in the transaction that changes them. The shard
-- spreads sessions over rows. Rows that retention deletes stay counted.
CREATE OR REPLACE FUNCTION postern_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 8;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    WITH came_ AS (SELECT project_id, owner_id, status, count(*) AS n, count(sent_at) AS at_sent,
      count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered,
      count(read_at) AS at_read, count(replied_at) AS at_replied FROM came WHERE direction = 'outbound'
      GROUP BY project_id, owner_id, status),
    went_ AS (SELECT project_id, owner_id, status, count(*) AS n, count(sent_at) AS at_sent,
      count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered,
      count(read_at) AS at_read, count(replied_at) AS at_replied FROM went WHERE direction = 'outbound'
      GROUP BY project_id, owner_id, status),
    moves AS (SELECT * FROM came_ AS c
      UNION ALL SELECT project_id, owner_id, status, -n, -at_sent, -at_delivered, -at_read, -at_replied FROM went_),
        sums AS (
      SELECT project_id, owner_id, sum(n) AS total, COALESCE(sum(n) FILTER (WHERE status = 'queued'), 0) AS queued,
        COALESCE(sum(n) FILTER (WHERE status = 'sending'), 0) AS sending,
        COALESCE(sum(n) FILTER (WHERE status = 'sent'), 0) AS sent,
        COALESCE(sum(n) FILTER (WHERE status = 'delivered'), 0) AS delivered,
        COALESCE(sum(n) FILTER (WHERE status = 'read'), 0) AS read,
        COALESCE(sum(n) FILTER (WHERE status = 'failed'), 0) AS failed,
        COALESCE(sum(n) FILTER (WHERE status = 'skipped'), 0) AS skipped,
        COALESCE(sum(n) FILTER (WHERE status = 'unknown'), 0) AS unknown,
        COALESCE(sum(n) FILTER (WHERE status = 'canceled'), 0) AS canceled, sum(at_sent) AS at_sent,
        sum(at_delivered) AS at_delivered, sum(at_read) AS at_read, sum(at_replied) AS at_replied FROM moves
      GROUP BY project_id, owner_id ORDER BY project_id
    ), counted AS (
      INSERT INTO sending_counters AS c (project_id, shard, owner_id, total, queued, sending, sent, delivered, read,
        failed, skipped, unknown, canceled, replied, minute_at, minute_settled)
      SELECT project_id, mine, owner_id, total, queued, sending, sent, delivered, read, failed, skipped, unknown,
        canceled, at_replied, date_trunc('minute', clock_timestamp()), GREATEST(at_sent, 0) + GREATEST(failed, 0)
        FROM sums
      ON CONFLICT (project_id, shard) DO UPDATE SET
        total = c.total + EXCLUDED.total, queued = c.queued + EXCLUDED.queued,
          sending = c.sending + EXCLUDED.sending, sent = c.sent + EXCLUDED.sent,
          delivered = c.delivered + EXCLUDED.delivered, read = c.read + EXCLUDED.read,
          failed = c.failed + EXCLUDED.failed, skipped = c.skipped + EXCLUDED.skipped,
          unknown = c.unknown + EXCLUDED.unknown, canceled = c.canceled + EXCLUDED.canceled,
          replied = c.replied + EXCLUDED.replied, updated_at = now(), minute_at = EXCLUDED.minute_at,
          minute_settled = EXCLUDED.minute_settled + CASE
          WHEN c.minute_at = EXCLUDED.minute_at THEN c.minute_settled ELSE 0 END, last_minute_settled = CASE
          WHEN c.minute_at = EXCLUDED.minute_at THEN c.last_minute_settled
          WHEN c.minute_at = EXCLUDED.minute_at - interval '1 minute' THEN c.minute_settled ELSE 0 END
    )
    INSERT INTO statistics_buckets AS b (project_id, bucket, shard, owner_id, unknown, queued, sent, delivered,
      read, failed, replied)
    SELECT project_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), mine, owner_id,
      GREATEST(unknown, 0),
      GREATEST(total, 0), GREATEST(at_sent, 0), GREATEST(at_delivered, 0), GREATEST(at_read, 0),
      GREATEST(failed, 0), GREATEST(at_replied, 0)
    FROM sums
    WHERE total > 0 OR at_sent > 0 OR at_delivered > 0 OR at_read > 0 OR failed > 0 OR unknown > 0 OR at_replied > 0
    ON CONFLICT (project_id, bucket, shard) DO UPDATE SET
      unknown = b.unknown + EXCLUDED.unknown, queued = b.queued + EXCLUDED.queued, sent = b.sent + EXCLUDED.sent,
        delivered = b.delivered + EXCLUDED.delivered, read = b.read + EXCLUDED.read,
        failed = b.failed + EXCLUDED.failed, replied = b.replied + EXCLUDED.replied;
    IF EXISTS (SELECT FROM came WHERE failure_code IS NOT NULL)
      OR EXISTS (SELECT FROM went WHERE failure_code IS NOT NULL) THEN
      INSERT INTO failure_counters AS f (project_id, code, shard, owner_id, count)
      SELECT project_id, failure_code, mine, owner_id, sum(d)
      FROM (
        SELECT project_id, owner_id, failure_code, 1 AS d FROM came
          WHERE failure_code IS NOT NULL AND status IN ('failed', 'skipped') AND direction = 'outbound'
        UNION ALL SELECT project_id, owner_id, failure_code, -1 AS d FROM went
          WHERE failure_code IS NOT NULL AND status IN ('failed', 'skipped') AND direction = 'outbound') AS moves
      GROUP BY project_id, failure_code, owner_id HAVING sum(d) <> 0 ORDER BY project_id, failure_code
      ON CONFLICT (project_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
  ELSE
    WITH came_ AS (SELECT project_id, owner_id, status, count(*) AS n, count(sent_at) AS at_sent,
      count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered,
      count(read_at) AS at_read, count(replied_at) AS at_replied FROM came WHERE direction = 'outbound'
      GROUP BY project_id, owner_id, status),
    moves AS (SELECT * FROM came_ AS c), sums AS (
      SELECT project_id, owner_id, sum(n) AS total, COALESCE(sum(n) FILTER (WHERE status = 'queued'), 0) AS queued,
        COALESCE(sum(n) FILTER (WHERE status = 'sending'), 0) AS sending,
        COALESCE(sum(n) FILTER (WHERE status = 'sent'), 0) AS sent,
        COALESCE(sum(n) FILTER (WHERE status = 'delivered'), 0) AS delivered,
        COALESCE(sum(n) FILTER (WHERE status = 'read'), 0) AS read,
        COALESCE(sum(n) FILTER (WHERE status = 'failed'), 0) AS failed,
        COALESCE(sum(n) FILTER (WHERE status = 'skipped'), 0) AS skipped,
        COALESCE(sum(n) FILTER (WHERE status = 'unknown'), 0) AS unknown,
        COALESCE(sum(n) FILTER (WHERE status = 'canceled'), 0) AS canceled, sum(at_sent) AS at_sent,
        sum(at_delivered) AS at_delivered, sum(at_read) AS at_read, sum(at_replied) AS at_replied FROM moves
      GROUP BY project_id, owner_id ORDER BY project_id
    ), counted AS (
      INSERT INTO sending_counters AS c (project_id, shard, owner_id, total, queued, sending, sent, delivered, read,
        failed, skipped, unknown, canceled, replied, minute_at, minute_settled)
      SELECT project_id, mine, owner_id, total, queued, sending, sent, delivered, read, failed, skipped, unknown,
        canceled, at_replied, date_trunc('minute', clock_timestamp()), GREATEST(at_sent, 0) + GREATEST(failed, 0)
        FROM sums
      ON CONFLICT (project_id, shard) DO UPDATE SET
        total = c.total + EXCLUDED.total, queued = c.queued + EXCLUDED.queued,
          sending = c.sending + EXCLUDED.sending, sent = c.sent + EXCLUDED.sent,
          delivered = c.delivered + EXCLUDED.delivered, read = c.read + EXCLUDED.read,
          failed = c.failed + EXCLUDED.failed, skipped = c.skipped + EXCLUDED.skipped,
          unknown = c.unknown + EXCLUDED.unknown, canceled = c.canceled + EXCLUDED.canceled,
          replied = c.replied + EXCLUDED.replied, updated_at = now(), minute_at = EXCLUDED.minute_at,
          minute_settled = EXCLUDED.minute_settled + CASE
          WHEN c.minute_at = EXCLUDED.minute_at THEN c.minute_settled ELSE 0 END, last_minute_settled = CASE
          WHEN c.minute_at = EXCLUDED.minute_at THEN c.last_minute_settled
          WHEN c.minute_at = EXCLUDED.minute_at - interval '1 minute' THEN c.minute_settled ELSE 0 END
    )
    INSERT INTO statistics_buckets AS b (project_id, bucket, shard, owner_id, unknown, queued, sent, delivered,
      read, failed, replied)
    SELECT project_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), mine, owner_id,
      GREATEST(unknown, 0),
      GREATEST(total, 0), GREATEST(at_sent, 0), GREATEST(at_delivered, 0), GREATEST(at_read, 0),
      GREATEST(failed, 0), GREATEST(at_replied, 0)
    FROM sums
    WHERE total > 0 OR at_sent > 0 OR at_delivered > 0 OR at_read > 0 OR failed > 0 OR unknown > 0 OR at_replied > 0
    ON CONFLICT (project_id, bucket, shard) DO UPDATE SET
      unknown = b.unknown + EXCLUDED.unknown, queued = b.queued + EXCLUDED.queued, sent = b.sent + EXCLUDED.sent,
        delivered = b.delivered + EXCLUDED.delivered, read = b.read + EXCLUDED.read,
        failed = b.failed + EXCLUDED.failed, replied = b.replied + EXCLUDED.replied;
    IF EXISTS (SELECT FROM came WHERE failure_code IS NOT NULL) THEN
      INSERT INTO failure_counters AS f (project_id, code, shard, owner_id, count)
      SELECT project_id, failure_code, mine, owner_id, sum(d)
      FROM (
        SELECT project_id, owner_id, failure_code, 1 AS d FROM came
          WHERE failure_code IS NOT NULL AND status IN ('failed', 'skipped') AND direction = 'outbound') AS moves
      GROUP BY project_id, failure_code, owner_id HAVING sum(d) <> 0 ORDER BY project_id, failure_code
      ON CONFLICT (project_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER count_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count();
CREATE OR REPLACE TRIGGER count_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count();
