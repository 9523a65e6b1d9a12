-- Records what happens to project messages in their owner's event feed, if that records. See postern_message_events
-- for the first look and the option.
CREATE OR REPLACE FUNCTION postern_record_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM came AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, CASE WHEN c.direction = 'inbound' THEN 'message.received' ELSE CASE
      WHEN c.status = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      WHEN c.status = 'failed' AND c.refused THEN 'message.refused'
      ELSE 'message.' || c.status END END, 'messageRecord', c.id, c.project_id, NULL,
        jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'),
        'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
        'reportedBy', c.reported_by,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))
    FROM came AS c WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
  ELSE
    IF EXISTS (SELECT FROM came WHERE bounced_at IS NOT NULL) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'message.bounced', 'messageRecord', c.id, c.project_id, NULL,
      jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'),
        'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
        'reportedBy', c.reported_by,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) || jsonb_build_object('bounceClass', (
      SELECT r.class FROM mail_reports AS r WHERE r.message_id = c.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1
    )) FROM came AS c JOIN went AS w USING (id)
    WHERE c.bounced_at IS NOT NULL AND w.bounced_at IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    END IF;
    IF EXISTS (SELECT FROM came WHERE complained_at IS NOT NULL) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'message.complained', 'messageRecord', c.id, c.project_id, NULL,
      jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'),
        'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
        'reportedBy', c.reported_by,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)) FROM came AS c JOIN went AS w USING (id)
    WHERE c.complained_at IS NOT NULL AND w.complained_at IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    END IF;
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, CASE WHEN c.status = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      WHEN c.status = 'failed' AND c.refused THEN 'message.refused'
      ELSE 'message.' || c.status END, 'messageRecord', c.id, c.project_id, NULL,
        jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'),
        'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
        'reportedBy', c.reported_by,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))
    FROM came AS c JOIN went AS w USING (id)
      WHERE (c.status <> w.status OR w.reported_by IS NOT NULL AND c.reported_by IS NULL) AND c.status <> 'sending'
      AND (c.status <> 'queued' OR w.status IN ('failed', 'skipped', 'unknown', 'canceled'))
        AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    IF EXISTS (SELECT FROM came WHERE replied_at IS NOT NULL) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'message.replied', 'messageRecord', c.id, c.project_id, NULL,
      jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'),
        'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
        'reportedBy', c.reported_by,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))
    FROM came AS c JOIN went AS w USING (id)
    WHERE c.replied_at IS NOT NULL AND w.replied_at IS NULL
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_record_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_record_events();
