-- Records that a verification was started, was approved or has failed in its owner's event feed, if that records. No
-- event has the code.
CREATE OR REPLACE FUNCTION postern_verification_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.status WHEN 'pending' THEN 'verification.started'
      WHEN 'approved' THEN 'verification.approved' ELSE 'verification.failed' END,
      'verification', NEW.id, NULL, NEW.account_id, jsonb_build_object(
        'uuid', NEW.id, 'channel', NEW.channel, 'to', NEW."to", 'purpose', NEW.purpose, 'status', NEW.status,
        'tries', NEW.tries, 'sends', NEW.sends, 'expiresAt', postern_utc(NEW.expires_at),
        'settledAt', postern_utc(NEW.settled_at), 'createdAt', postern_utc(NEW.created_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON verifications
  FOR EACH ROW EXECUTE FUNCTION postern_verification_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF status ON verifications
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status IN ('approved', 'expired', 'too_many'))
  EXECUTE FUNCTION postern_verification_events();
