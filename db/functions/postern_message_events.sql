-- Records what happens to direct messages in their owner's event feed, if that records. Of a chain it is what happens
-- to its head, whose price is what was not refunded of its steps. A new message says `scheduled` as both doors do; when
-- it is queued again its time has come. An owner without a feed pays for the first look, and
-- for nothing else. The plan is made for the rows of a session's first statement and kept for all: a nested loop would
-- compare each of five hundred rows with all the others, hence the option.
--
-- The events of a statement are one row of message_events for each hundred, and one of the inbox. What is null, usual,
-- or follows from the event's type is not stored; engine/feed/event_data.py fills it in. Events are in the order of the
-- statement's rows, a bounce before the state that it leads to.
CREATE OR REPLACE FUNCTION postern_message_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM came AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording AND r.chain_id IS NULL
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    WITH happened AS (
      SELECT c.owner_id, row_number() OVER (ORDER BY c.place) AS number, ROW(
        NULLIF(c.created_at, now()), c.sent_at, c.id, NULL, c.account_id, NULL, c.type, c.channel, c."to",
        CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL AND c.step IS NULL THEN 0
          ELSE c.price END, c.provider_message_id,
        NULLIF(jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
          'status', NULLIF(c.status, c.shown),
          'deliveryState', NULLIF(c.shown, CASE WHEN c.by_type THEN c.state END), 'sender', c.sender,
          'sendAt', postern_utc(c.send_at), 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
          'reportedBy', c.reported_by, 'attempts', NULLIF(c.attempts, 0),
          'category', NULLIF(c.category, 'transactional'), 'trial', NULLIF(c.trial, false),
          'deliveredAt', postern_utc(c.delivered_at), 'bouncedAt', postern_utc(c.bounced_at),
          'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
          'body', CASE WHEN c.direction = 'inbound' THEN c.body END)), '{}')
      )::message_event AS event
      FROM (SELECT *, row_number() OVER () AS place,
          CASE WHEN state = 'queued' AND send_at > now() THEN 'scheduled' ELSE state END AS shown,
          direction = 'outbound' AS by_type, CASE WHEN direction = 'inbound' THEN 'message.received'
            WHEN state = 'failed' AND failure_code = 'expired' THEN 'message.expired'
            WHEN state = 'failed' AND refused THEN 'message.refused' ELSE 'message.' || state END AS type
        FROM came) AS c WHERE c.chain_id IS NULL
        AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)
    ), numbered AS (
      SELECT owner_id, min(number) AS first, count(*) AS count, array_agg(event ORDER BY number) AS events
      FROM happened GROUP BY owner_id, (number - 1) / 100 ORDER BY first
    ), recorded AS MATERIALIZED (
      SELECT nextval('event_inbox_seq_seq') AS seq, owner_id, count, events FROM numbered
    ), stored AS (
      INSERT INTO message_events (owner_id, seq, subject, events)
      SELECT owner_id, seq, 'message', events FROM recorded
    )
    INSERT INTO event_inbox (owner_id, seq, id, count) SELECT owner_id, seq, NULL, count FROM recorded;
  ELSE
    WITH changed AS MATERIALIZED (
      SELECT c.*, c.state AS shown,
        c.bounced_at IS NOT NULL AND w.bounced_at IS NULL AS has_bounced,
        c.complained_at IS NOT NULL AND w.complained_at IS NULL AS has_complained,
        (c.state <> w.state OR w.reported_by IS NOT NULL AND c.reported_by IS NULL) AND c.state <> 'sending'
          AND (c.state <> 'queued' OR w.state IN ('failed', 'skipped', 'unknown', 'canceled')) AS has_changed
      FROM (SELECT *, row_number() OVER () AS place FROM came) AS c JOIN went AS w USING (id) WHERE c.chain_id IS NULL
        AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)
    ), happened AS (
      SELECT c.owner_id, row_number() OVER (ORDER BY c.kind, c.place) AS number, ROW(
        NULLIF(c.created_at, now()), c.sent_at, c.id, NULL, c.account_id, NULL, c.type, c.channel, c."to",
        CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL AND c.step IS NULL THEN 0
          ELSE c.price END, c.provider_message_id,
        NULLIF(jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
          'status', NULLIF(c.status, c.shown),
          'deliveryState', NULLIF(c.shown, CASE WHEN c.by_type THEN c.state END), 'sender', c.sender,
          'sendAt', postern_utc(c.send_at), 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
          'reportedBy', c.reported_by, 'attempts', NULLIF(c.attempts, 0),
          'category', NULLIF(c.category, 'transactional'), 'trial', NULLIF(c.trial, false),
          'deliveredAt', postern_utc(c.delivered_at), 'bouncedAt', postern_utc(c.bounced_at),
          'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
          'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) || CASE WHEN c.type = 'message.bounced'
          THEN jsonb_build_object('bounceClass', (SELECT r.class FROM mail_reports AS r
            WHERE r.message_id = c.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1)) ELSE '{}' END, '{}')
      )::message_event AS event
      FROM (
        SELECT *, 1 AS kind, false AS by_type, 'message.bounced' AS type FROM changed WHERE has_bounced
        UNION ALL SELECT *, 2, false, 'message.complained' FROM changed WHERE has_complained
        UNION ALL SELECT *, 3, true, CASE WHEN state = 'failed' AND failure_code = 'expired' THEN 'message.expired'
          WHEN state = 'failed' AND refused THEN 'message.refused' ELSE 'message.' || state END
        FROM changed WHERE has_changed
      ) AS c
    ), numbered AS (
      SELECT owner_id, min(number) AS first, count(*) AS count, array_agg(event ORDER BY number) AS events
      FROM happened GROUP BY owner_id, (number - 1) / 100 ORDER BY first
    ), recorded AS MATERIALIZED (
      SELECT nextval('event_inbox_seq_seq') AS seq, owner_id, count, events FROM numbered
    ), stored AS (
      INSERT INTO message_events (owner_id, seq, subject, events)
      SELECT owner_id, seq, 'message', events FROM recorded
    )
    INSERT INTO event_inbox (owner_id, seq, id, count) SELECT owner_id, seq, NULL, count FROM recorded;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_message_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_message_events();
