-- Records what happens to direct messages in their owner's event feed, if that records. Of a chain it is what happens
-- to its head, whose price is what was not refunded of its steps. A new message says `scheduled` as both doors do; when
-- it is queued again its time has come. An owner without a feed pays for the first look, and
-- for nothing else. The plan is made for the rows of a session's first statement and kept for all: a nested loop would
-- compare each of five hundred rows with all the others, hence the option.
CREATE OR REPLACE FUNCTION postern_message_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM came AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording AND r.chain_id IS NULL
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, CASE WHEN c.direction = 'inbound' THEN 'message.received' ELSE CASE
      WHEN c.state = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      WHEN c.state = 'failed' AND c.refused THEN 'message.refused'
      ELSE 'message.' || c.state END END, 'message', c.id, NULL, c.account_id,
        jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.shown), 'deliveryState', c.shown, 'to', c."to",
      'sender', c.sender, 'sendAt', postern_utc(c.send_at),
      'price', CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL
        AND c.step IS NULL THEN 0 ELSE c.price END,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
        'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
      'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))
    FROM (SELECT *, CASE WHEN state = 'queued' AND send_at > now() THEN 'scheduled' ELSE state END AS shown
      FROM came) AS c WHERE c.chain_id IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
  ELSE
    IF EXISTS (SELECT FROM came WHERE bounced_at IS NOT NULL) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'message.bounced', 'message', c.id, NULL, c.account_id,
      jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.state), 'deliveryState', c.state, 'to', c."to",
      'sender', c.sender, 'sendAt', postern_utc(c.send_at),
      'price', CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL
        AND c.step IS NULL THEN 0 ELSE c.price END,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
        'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
      'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) || jsonb_build_object('bounceClass', (
      SELECT r.class FROM mail_reports AS r WHERE r.message_id = c.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1
    )) FROM came AS c JOIN went AS w USING (id)
    WHERE c.bounced_at IS NOT NULL AND w.bounced_at IS NULL AND c.chain_id IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    END IF;
    IF EXISTS (SELECT FROM came WHERE complained_at IS NOT NULL) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'message.complained', 'message', c.id, NULL, c.account_id,
      jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.state), 'deliveryState', c.state, 'to', c."to",
      'sender', c.sender, 'sendAt', postern_utc(c.send_at),
      'price', CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL
        AND c.step IS NULL THEN 0 ELSE c.price END,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
        'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
      'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) FROM came AS c JOIN went AS w USING (id)
    WHERE c.complained_at IS NOT NULL AND w.complained_at IS NULL AND c.chain_id IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    END IF;
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, CASE WHEN c.state = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      WHEN c.state = 'failed' AND c.refused THEN 'message.refused'
      ELSE 'message.' || c.state END, 'message', c.id, NULL, c.account_id,
        jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.state), 'deliveryState', c.state, 'to', c."to",
      'sender', c.sender, 'sendAt', postern_utc(c.send_at),
      'price', CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL
        AND c.step IS NULL THEN 0 ELSE c.price END,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'reportedBy', c.reported_by,
        'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
      'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))
    FROM came AS c JOIN went AS w USING (id)
      WHERE (c.state <> w.state OR w.reported_by IS NOT NULL AND c.reported_by IS NULL) AND c.state <> 'sending'
      AND c.chain_id IS NULL
      AND (c.state <> 'queued' OR w.state IN ('failed', 'skipped', 'unknown', 'canceled'))
        AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_message_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_message_events();
