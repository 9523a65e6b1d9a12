-- Records what happens to project messages in their owner's event feed, if that records. See postern_message_events
-- for the first look, the option, and what is stored.
CREATE OR REPLACE FUNCTION postern_record_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM came AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    WITH happened AS (
      SELECT c.owner_id, row_number() OVER (ORDER BY c.place) AS number, ROW(
        NULLIF(c.queued_at, now()), c.sent_at, c.id, c.project_id, NULL, c.recipient_id, c.type, c.channel, c."to",
        c.price, CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
        NULLIF(jsonb_strip_nulls(jsonb_build_object('accountUuid', c.account_uuid,
          'direction', NULLIF(c.direction, 'outbound'),
          'status', NULLIF(c.status, CASE WHEN c.by_type THEN c.status END), 'variant', c.variant,
          'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
          'attempts', NULLIF(c.attempts, 0), 'deliveredAt', postern_utc(c.delivered_at),
          'readAt', postern_utc(c.read_at), 'repliedAt', postern_utc(c.replied_at),
          'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
          'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
          'body', CASE WHEN c.direction = 'inbound' THEN c.body END)), '{}')
      )::message_event AS event
      FROM (SELECT *, row_number() OVER () AS place, direction = 'outbound' AS by_type,
          CASE WHEN direction = 'inbound' THEN 'message.received'
            WHEN status = 'failed' AND failure_code = 'expired' THEN 'message.expired'
            WHEN status = 'failed' AND refused THEN 'message.refused' ELSE 'message.' || status END AS type
        FROM came) AS c
      WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)
    ), numbered AS (
      SELECT owner_id, min(number) AS first, count(*) AS count, array_agg(event ORDER BY number) AS events
      FROM happened GROUP BY owner_id, (number - 1) / 100 ORDER BY first
    ), recorded AS MATERIALIZED (
      SELECT nextval('event_inbox_seq_seq') AS seq, owner_id, count, events FROM numbered
    ), stored AS (
      INSERT INTO message_events (owner_id, seq, subject, events)
      SELECT owner_id, seq, 'messageRecord', events FROM recorded
    )
    INSERT INTO event_inbox (owner_id, seq, id, count) SELECT owner_id, seq, NULL, count FROM recorded;
  ELSE
    WITH changed AS MATERIALIZED (
      SELECT c.*, c.bounced_at IS NOT NULL AND w.bounced_at IS NULL AS has_bounced,
        c.complained_at IS NOT NULL AND w.complained_at IS NULL AS has_complained,
        (c.status <> w.status OR w.reported_by IS NOT NULL AND c.reported_by IS NULL) AND c.status <> 'sending'
          AND (c.status <> 'queued' OR w.status IN ('failed', 'skipped', 'unknown', 'canceled')) AS has_changed,
        c.replied_at IS NOT NULL AND w.replied_at IS NULL AS has_replied
      FROM (SELECT *, row_number() OVER () AS place FROM came) AS c JOIN went AS w USING (id)
      WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)
    ), happened AS (
      SELECT c.owner_id, row_number() OVER (ORDER BY c.kind, c.place) AS number, ROW(
        NULLIF(c.queued_at, now()), c.sent_at, c.id, c.project_id, NULL, c.recipient_id, c.type, c.channel, c."to",
        c.price, CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
        NULLIF(jsonb_strip_nulls(jsonb_build_object('accountUuid', c.account_uuid,
          'direction', NULLIF(c.direction, 'outbound'),
          'status', NULLIF(c.status, CASE WHEN c.by_type THEN c.status END), 'variant', c.variant,
          'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
          'attempts', NULLIF(c.attempts, 0), 'deliveredAt', postern_utc(c.delivered_at),
          'readAt', postern_utc(c.read_at), 'repliedAt', postern_utc(c.replied_at),
          'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
          'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
          'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) || CASE WHEN c.type = 'message.bounced'
          THEN jsonb_build_object('bounceClass', (SELECT r.class FROM mail_reports AS r
            WHERE r.message_id = c.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1)) ELSE '{}' END, '{}')
      )::message_event AS event
      FROM (
        SELECT *, 1 AS kind, false AS by_type, 'message.bounced' AS type FROM changed WHERE has_bounced
        UNION ALL SELECT *, 2, false, 'message.complained' FROM changed WHERE has_complained
        UNION ALL SELECT *, 3, true, CASE WHEN status = 'failed' AND failure_code = 'expired' THEN 'message.expired'
          WHEN status = 'failed' AND refused THEN 'message.refused' ELSE 'message.' || status END
        FROM changed WHERE has_changed
        UNION ALL SELECT *, 4, false, 'message.replied' FROM changed WHERE has_replied
      ) AS c
    ), numbered AS (
      SELECT owner_id, min(number) AS first, count(*) AS count, array_agg(event ORDER BY number) AS events
      FROM happened GROUP BY owner_id, (number - 1) / 100 ORDER BY first
    ), recorded AS MATERIALIZED (
      SELECT nextval('event_inbox_seq_seq') AS seq, owner_id, count, events FROM numbered
    ), stored AS (
      INSERT INTO message_events (owner_id, seq, subject, events)
      SELECT owner_id, seq, 'messageRecord', events FROM recorded
    )
    INSERT INTO event_inbox (owner_id, seq, id, count) SELECT owner_id, seq, NULL, count FROM recorded;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_record_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_record_events();
