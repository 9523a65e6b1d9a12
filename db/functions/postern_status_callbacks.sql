-- Puts the changes of a message that has a status callback into the outbox of webhooks, with the data that the event
-- feed has (postern_message_events). Nothing is put once the endpoint is gone or switched off, or whose maker it was
-- may not act any more. The trigger's condition costs other messages one comparison.
CREATE OR REPLACE FUNCTION postern_status_callbacks() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  types text[] := '{}';
  event_type text;
  event_id uuid;
BEGIN
  IF NOT EXISTS (
    SELECT FROM webhooks AS w LEFT JOIN api_tokens AS t ON t.id = w.api_token_id
    WHERE w.id = NEW.callback_id AND w.owner_id = NEW.owner_id AND w.is_callback AND w.enabled
      AND (t.id IS NULL OR t.revoked_at IS NULL AND COALESCE(t.expires_at > now(), true))
      AND (w.saved_by IS NULL OR EXISTS (
        SELECT FROM memberships AS m WHERE m.owner_id = w.owner_id AND m.member_id = w.saved_by
      ))
  ) THEN RETURN NULL; END IF;
  IF NEW.bounced_at IS NOT NULL AND OLD.bounced_at IS NULL THEN
    types := types || 'message.bounced'::text;
  END IF;
  IF NEW.complained_at IS NOT NULL AND OLD.complained_at IS NULL THEN
    types := types || 'message.complained'::text;
  END IF;
  IF (NEW.state <> OLD.state OR OLD.reported_by IS NOT NULL AND NEW.reported_by IS NULL) AND NEW.state <> 'sending'
    AND (NEW.state <> 'queued' OR OLD.state IN ('failed', 'unknown', 'canceled'))
  THEN
    types := types || CASE WHEN NEW.state = 'failed' AND NEW.failure_code = 'expired' THEN 'message.expired'
      WHEN NEW.state = 'failed' AND NEW.refused THEN 'message.refused'
      ELSE 'message.' || NEW.state END;
  END IF;
  FOREACH event_type IN ARRAY types LOOP
    event_id := postern_uuid7();
    INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, thread, url, body)
    VALUES (postern_uuid7(), NEW.callback_id, event_id, event_type, NEW.id, NEW.status_callback, jsonb_build_object(
      'id', event_id, 'cursor', NULL, 'type', event_type, 'at', postern_utc(now()), 'subject', 'message',
      'subjectId', NEW.id, 'sendingProjectUuid', NULL, 'accountId', NEW.account_id, 'data', jsonb_build_object(
        'uuid', NEW.id, 'accountId', NEW.account_id, 'direction', NEW.direction, 'channel', NEW.channel,
        'status', NEW.status, 'deliveryState', NEW.state, 'to', NEW."to", 'sender', NEW.sender,
        'sendAt', postern_utc(NEW.send_at),
        'price', CASE WHEN NEW.state IN ('failed', 'canceled') AND NEW.reported_by IS NULL AND NEW.step IS NULL THEN 0
          ELSE trim_scale(NEW.price) END,
        'failureCode', NEW.failure_code, 'failureReason', NEW.failure_reason, 'attempts', NEW.attempts,
        'providerMessageId', NEW.provider_message_id, 'category', NEW.category,
        'trial', NEW.trial, 'createdAt', postern_utc(NEW.created_at), 'sentAt', postern_utc(NEW.sent_at),
        'deliveredAt', postern_utc(NEW.delivered_at), 'bouncedAt', postern_utc(NEW.bounced_at),
        'complainedAt', postern_utc(NEW.complained_at), 'updatedAt', postern_utc(NEW.updated_at), 'body', NULL
      ) || CASE WHEN NEW.reported_by IS NULL THEN '{}' ELSE jsonb_build_object('reportedBy', NEW.reported_by) END
      || CASE WHEN event_type <> 'message.bounced' THEN '{}' ELSE jsonb_build_object('bounceClass', (
        SELECT r.class FROM mail_reports AS r
        WHERE r.message_id = NEW.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1
      )) END
    ));
  END LOOP;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER status_callbacks AFTER UPDATE ON messages FOR EACH ROW
  WHEN (NEW.callback_id IS NOT NULL AND (
    NEW.state <> OLD.state OR NEW.reported_by IS DISTINCT FROM OLD.reported_by
    OR NEW.bounced_at IS DISTINCT FROM OLD.bounced_at OR NEW.complained_at IS DISTINCT FROM OLD.complained_at
  )) EXECUTE FUNCTION postern_status_callbacks();
