-- Counts direct messages by state, time and reason of failure, in the transaction that changes them. A chain counts
-- once, by its head; its steps have a chain_id. A head that goes on to a further step changes its channel: it is not
-- queued again by that, and was sent when the first of its steps was. The shard spreads sessions over rows; while a
-- snapshot is old, its upper part is a generation (decision 0080).
CREATE OR REPLACE FUNCTION postern_count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := (pg_backend_pid() % 16
  + CASE WHEN current_setting('application_name') = 'postern-worker' THEN 16
    ELSE 0 END) + 64 * (SELECT CASE last_value WHEN 1 THEN extract(epoch FROM now())::int8 / 15 % 500 + 1 ELSE 0 END
    FROM old_snapshot);
  heads CONSTANT boolean := COALESCE(current_setting('postern.heads', true) = 'on', false);
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH
    came_ AS (
      SELECT owner_id, account_id, channel, CASE WHEN direction = 'inbound' THEN 'inbound' WHEN trial THEN 'trial'
        ELSE 'direct' END AS kind, state, count(*) AS n, count(sent_at) AS at_sent,
        count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered
      FROM came WHERE chain_id IS NULL GROUP BY 1, 2, 3, 4, 5
    ), moves (owner_id, account_id, channel, kind, state, n, counted, at_sent, at_delivered) AS (SELECT owner_id,
      account_id, channel, kind, state, n, n AS counted, at_sent, at_delivered FROM came_), happened AS (
      SELECT owner_id, channel, sum(counted) AS queued, sum(at_sent) AS sent, sum(at_delivered) AS delivered,
        sum(counted) FILTER (WHERE state = 'failed') AS failed,
          sum(counted) FILTER (WHERE state = 'unknown') AS unknown
      FROM moves WHERE kind = 'direct' GROUP BY owner_id, channel ORDER BY owner_id, channel
    ), counting AS (
    INSERT INTO message_counters AS c (owner_id, account_id, channel, kind, state, shard, stored, counted)
    SELECT owner_id, account_id, channel, kind, state, mine, sum(n), sum(counted) FROM moves
    GROUP BY owner_id, account_id, channel, kind, state
    HAVING sum(n) <> 0 OR sum(counted) <> 0
    ORDER BY owner_id, account_id, channel, kind, state
    ON CONFLICT (owner_id, account_id, channel, kind, state, shard) DO UPDATE
    SET stored = c.stored + EXCLUDED.stored, counted = c.counted + EXCLUDED.counted
    )
    INSERT INTO message_buckets AS b (owner_id, bucket, channel, shard, queued, sent, delivered, failed, unknown)
    SELECT owner_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), channel, mine,
      GREATEST(queued, 0), GREATEST(sent, 0), GREATEST(delivered, 0), GREATEST(failed, 0), GREATEST(unknown, 0)
    FROM happened WHERE queued > 0 OR sent > 0 OR delivered > 0 OR failed > 0 OR unknown > 0
    ON CONFLICT (owner_id, bucket, channel, shard) DO UPDATE
    SET queued = b.queued + EXCLUDED.queued, sent = b.sent + EXCLUDED.sent,
      delivered = b.delivered + EXCLUDED.delivered, failed = b.failed + EXCLUDED.failed,
        unknown = b.unknown + EXCLUDED.unknown;
    IF EXISTS (SELECT FROM came WHERE failure_code IS NOT NULL) THEN
      INSERT INTO message_failures AS f (owner_id, code, shard, count)
      SELECT owner_id, failure_code, mine, sum(d)
      FROM (
        SELECT owner_id, failure_code, 1 AS d FROM came
          WHERE state = 'failed' AND failure_code IS NOT NULL AND direction = 'outbound' AND NOT trial
            AND chain_id IS NULL) AS moves
      GROUP BY owner_id, failure_code HAVING sum(d) <> 0 ORDER BY owner_id, failure_code
      ON CONFLICT (owner_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    WITH
    came_ AS (
      SELECT owner_id, account_id, channel, CASE WHEN direction = 'inbound' THEN 'inbound' WHEN trial THEN 'trial'
        ELSE 'direct' END AS kind, state, count(*) AS n, count(sent_at) AS at_sent,
        count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered
      FROM came WHERE chain_id IS NULL GROUP BY 1, 2, 3, 4, 5
    ),
    went_ AS (
      SELECT owner_id, account_id, channel, CASE WHEN direction = 'inbound' THEN 'inbound' WHEN trial THEN 'trial'
        ELSE 'direct' END AS kind, state, count(*) AS n, count(sent_at) AS at_sent,
        count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered
      FROM went WHERE chain_id IS NULL GROUP BY 1, 2, 3, 4, 5
    ), moves (owner_id, account_id, channel, kind, state, n, counted, at_sent, at_delivered) AS (SELECT owner_id,
      account_id, channel, kind, state, n, n AS counted, at_sent, at_delivered FROM came_
      UNION ALL SELECT owner_id, account_id, channel, kind, state, -n, -n, -at_sent, -at_delivered FROM went_),
        happened AS (
      SELECT owner_id, channel, sum(counted) AS queued, sum(at_sent) AS sent, sum(at_delivered) AS delivered,
        sum(counted) FILTER (WHERE state = 'failed') AS failed,
          sum(counted) FILTER (WHERE state = 'unknown') AS unknown
      FROM moves WHERE kind = 'direct' AND NOT heads GROUP BY owner_id, channel
      UNION ALL
      SELECT c.owner_id, c.channel, 0, count(c.sent_at) FILTER (WHERE w.sent_at IS NULL),
        count(c.delivered_at) FILTER (WHERE (c.way_status IS NULL OR c.way_status = 'delivered')
          AND (w.delivered_at IS NULL OR w.way_status <> 'delivered')),
        count(*) FILTER (WHERE c.state = 'failed' AND w.state <> 'failed'),
        count(*) FILTER (WHERE c.state = 'unknown' AND w.state <> 'unknown')
      FROM came AS c JOIN went AS w USING (id) WHERE heads AND NOT c.trial GROUP BY c.owner_id, c.channel
      ORDER BY owner_id, channel
    ), counting AS (
    INSERT INTO message_counters AS c (owner_id, account_id, channel, kind, state, shard, stored, counted)
    SELECT owner_id, account_id, channel, kind, state, mine, sum(n), sum(counted) FROM moves
    GROUP BY owner_id, account_id, channel, kind, state
    HAVING sum(n) <> 0 OR sum(counted) <> 0
    ORDER BY owner_id, account_id, channel, kind, state
    ON CONFLICT (owner_id, account_id, channel, kind, state, shard) DO UPDATE
    SET stored = c.stored + EXCLUDED.stored, counted = c.counted + EXCLUDED.counted
    )
    INSERT INTO message_buckets AS b (owner_id, bucket, channel, shard, queued, sent, delivered, failed, unknown)
    SELECT owner_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), channel, mine,
      GREATEST(queued, 0), GREATEST(sent, 0), GREATEST(delivered, 0), GREATEST(failed, 0), GREATEST(unknown, 0)
    FROM happened WHERE queued > 0 OR sent > 0 OR delivered > 0 OR failed > 0 OR unknown > 0
    ON CONFLICT (owner_id, bucket, channel, shard) DO UPDATE
    SET queued = b.queued + EXCLUDED.queued, sent = b.sent + EXCLUDED.sent,
      delivered = b.delivered + EXCLUDED.delivered, failed = b.failed + EXCLUDED.failed,
        unknown = b.unknown + EXCLUDED.unknown;
    IF EXISTS (SELECT FROM came WHERE failure_code IS NOT NULL)
      OR EXISTS (SELECT FROM went WHERE failure_code IS NOT NULL) THEN
      INSERT INTO message_failures AS f (owner_id, code, shard, count)
      SELECT owner_id, failure_code, mine, sum(d)
      FROM (
        SELECT owner_id, failure_code, 1 AS d FROM came
          WHERE state = 'failed' AND failure_code IS NOT NULL AND direction = 'outbound' AND NOT trial
            AND chain_id IS NULL
        UNION ALL SELECT owner_id, failure_code, -1 AS d FROM went
          WHERE state = 'failed' AND failure_code IS NOT NULL AND direction = 'outbound' AND NOT trial
            AND chain_id IS NULL) AS moves
      GROUP BY owner_id, failure_code HAVING sum(d) <> 0 ORDER BY owner_id, failure_code
      ON CONFLICT (owner_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
  ELSE
WITH
    went_ AS (
      SELECT owner_id, account_id, channel, CASE WHEN direction = 'inbound' THEN 'inbound' WHEN trial THEN 'trial'
        ELSE 'direct' END AS kind, state, count(*) AS n, count(sent_at) AS at_sent,
        count(delivered_at) FILTER (WHERE (way_status IS NULL OR way_status = 'delivered')) AS at_delivered
      FROM went WHERE chain_id IS NULL GROUP BY 1, 2, 3, 4, 5
    ), moves (owner_id, account_id, channel, kind, state, n, counted, at_sent, at_delivered) AS (SELECT owner_id,
      account_id, channel, kind, state, -n, 0, -at_sent, -at_delivered FROM went_)
    INSERT INTO message_counters AS c (owner_id, account_id, channel, kind, state, shard, stored, counted)
    SELECT owner_id, account_id, channel, kind, state, mine, sum(n), sum(counted) FROM moves
    GROUP BY owner_id, account_id, channel, kind, state
    HAVING sum(n) <> 0 OR sum(counted) <> 0
    ORDER BY owner_id, account_id, channel, kind, state
    ON CONFLICT (owner_id, account_id, channel, kind, state, shard) DO UPDATE
    SET stored = c.stored + EXCLUDED.stored, counted = c.counted + EXCLUDED.counted
    ;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER count_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION postern_count_messages();
CREATE OR REPLACE TRIGGER count_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_messages();
CREATE OR REPLACE TRIGGER count_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_messages();
