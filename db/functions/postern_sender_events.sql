-- Records that a sender was requested, approved or refused in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_sender_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.state WHEN 'pending' THEN 'sender.requested' ELSE 'sender.' || NEW.state END,
      'sender', NEW.id, NULL, NULL, jsonb_build_object(
        'uuid', NEW.id, 'channel', NEW.channel, 'kind', NEW.kind, 'value', NEW.value, 'countries', NEW.countries,
        'state', NEW.state, 'reason', NEW.reason, 'decidedAt', postern_utc(NEW.decided_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON senders
  FOR EACH ROW WHEN (NEW.state IS NOT NULL) EXECUTE FUNCTION postern_sender_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF state ON senders
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION postern_sender_events();
