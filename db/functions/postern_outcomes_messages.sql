-- Counts direct messages by the quarter of an hour in which they were created, and by their present state, as
-- postern_outcomes_message_records counts those of projects.
CREATE OR REPLACE FUNCTION postern_outcomes_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := (pg_backend_pid() % 16
  + CASE WHEN current_setting('application_name') = 'postern-worker' THEN 16
    ELSE 0 END) + 64 * (SELECT CASE last_value WHEN 1 THEN extract(epoch FROM now())::int8 / 15 % 500 + 1 ELSE 0 END
    FROM old_snapshot);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outcome_counters AS o (owner_id, bucket, kind, channel, shard, queued, sending, sent, delivered,
      read, failed, skipped, unknown, canceled)
    SELECT owner_id, bucket, 'direct', channel, mine, COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) AS queued,
      COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) AS sending,
      COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) AS sent,
      COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) AS delivered,
      COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) AS read,
      COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
      COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) AS skipped,
      COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) AS unknown,
      COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) AS canceled
    FROM (
      SELECT owner_id, date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00Z') AS bucket, channel,
        state AS state, count(*) AS n FROM came
        WHERE direction = 'outbound' AND chain_id IS NULL AND (channel IN ('sms', 'email', 'push') OR NOT trial)
        AND created_at >= TG_ARGV[0]::timestamptz GROUP BY 1, 2, 3, 4) AS moves
    GROUP BY owner_id, bucket, channel
    HAVING COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) <> 0
    ORDER BY owner_id, bucket, channel
    ON CONFLICT (owner_id, bucket, kind, channel, shard) DO UPDATE SET
      queued = o.queued + EXCLUDED.queued, sending = o.sending + EXCLUDED.sending, sent = o.sent + EXCLUDED.sent,
        delivered = o.delivered + EXCLUDED.delivered, read = o.read + EXCLUDED.read,
        failed = o.failed + EXCLUDED.failed, skipped = o.skipped + EXCLUDED.skipped,
        unknown = o.unknown + EXCLUDED.unknown, canceled = o.canceled + EXCLUDED.canceled;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO outcome_counters AS o (owner_id, bucket, kind, channel, shard, queued, sending, sent, delivered,
      read, failed, skipped, unknown, canceled)
    SELECT owner_id, bucket, 'direct', channel, mine, COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) AS queued,
      COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) AS sending,
      COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) AS sent,
      COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) AS delivered,
      COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) AS read,
      COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
      COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) AS skipped,
      COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) AS unknown,
      COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) AS canceled
    FROM (
      SELECT owner_id, date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00Z') AS bucket, channel,
        state AS state, count(*) AS n FROM came
        WHERE direction = 'outbound' AND chain_id IS NULL AND (channel IN ('sms', 'email', 'push') OR NOT trial)
        AND created_at >= TG_ARGV[0]::timestamptz GROUP BY 1, 2, 3, 4
      UNION ALL SELECT owner_id, date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00Z') AS bucket,
        channel, state AS state, -count(*) AS n FROM went
        WHERE direction = 'outbound' AND chain_id IS NULL AND (channel IN ('sms', 'email', 'push') OR NOT trial)
        AND created_at >= TG_ARGV[0]::timestamptz GROUP BY 1, 2, 3, 4) AS moves
    GROUP BY owner_id, bucket, channel
    HAVING COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) <> 0
    ORDER BY owner_id, bucket, channel
    ON CONFLICT (owner_id, bucket, kind, channel, shard) DO UPDATE SET
      queued = o.queued + EXCLUDED.queued, sending = o.sending + EXCLUDED.sending, sent = o.sent + EXCLUDED.sent,
        delivered = o.delivered + EXCLUDED.delivered, read = o.read + EXCLUDED.read,
        failed = o.failed + EXCLUDED.failed, skipped = o.skipped + EXCLUDED.skipped,
        unknown = o.unknown + EXCLUDED.unknown, canceled = o.canceled + EXCLUDED.canceled;
  ELSE
    INSERT INTO outcome_counters AS o (owner_id, bucket, kind, channel, shard, queued, sending, sent, delivered,
      read, failed, skipped, unknown, canceled)
    SELECT owner_id, bucket, 'direct', channel, mine, COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) AS queued,
      COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) AS sending,
      COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) AS sent,
      COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) AS delivered,
      COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) AS read,
      COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
      COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) AS skipped,
      COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) AS unknown,
      COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) AS canceled
    FROM (
      SELECT owner_id, date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00Z') AS bucket, channel,
        state AS state, -count(*) AS n FROM went
        WHERE direction = 'outbound' AND chain_id IS NULL AND (channel IN ('sms', 'email', 'push') OR NOT trial)
        AND created_at >= TG_ARGV[0]::timestamptz GROUP BY 1, 2, 3, 4) AS moves
    GROUP BY owner_id, bucket, channel
    HAVING COALESCE(sum(n) FILTER (WHERE state = 'queued'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sending'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'sent'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'delivered'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'read'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'failed'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'skipped'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'unknown'), 0) <> 0
      OR COALESCE(sum(n) FILTER (WHERE state = 'canceled'), 0) <> 0
    ORDER BY owner_id, bucket, channel
    ON CONFLICT (owner_id, bucket, kind, channel, shard) DO UPDATE SET
      queued = o.queued + EXCLUDED.queued, sending = o.sending + EXCLUDED.sending, sent = o.sent + EXCLUDED.sent,
        delivered = o.delivered + EXCLUDED.delivered, read = o.read + EXCLUDED.read,
        failed = o.failed + EXCLUDED.failed, skipped = o.skipped + EXCLUDED.skipped,
        unknown = o.unknown + EXCLUDED.unknown, canceled = o.canceled + EXCLUDED.canceled;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
DO $$
DECLARE
  since text := COALESCE((SELECT s.since FROM outcome_starts AS s WHERE s.kind = 'direct')::text, '-infinity');
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER outcomes_insert AFTER INSERT ON messages'
    ' REFERENCING NEW TABLE AS came FOR EACH STATEMENT'
    ' EXECUTE FUNCTION postern_outcomes_messages(%L)', since);
  EXECUTE format('CREATE OR REPLACE TRIGGER outcomes_update AFTER UPDATE ON messages'
    ' REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT'
    ' EXECUTE FUNCTION postern_outcomes_messages(%L)', since);
  EXECUTE format('CREATE OR REPLACE TRIGGER outcomes_delete AFTER DELETE ON messages'
    ' REFERENCING OLD TABLE AS went FOR EACH STATEMENT'
    ' EXECUTE FUNCTION postern_outcomes_messages(%L)', since);
END $$;
