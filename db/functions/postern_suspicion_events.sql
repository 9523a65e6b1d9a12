-- Records that codes to a group of numbers are not sent any more in the event feed of their owner, if that records:
-- once for each group and hour.
CREATE OR REPLACE FUNCTION postern_suspicion_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'verification.suspected', 'suspectedGroup', NEW.id, NULL, NULL, jsonb_build_object(
      'uuid', NEW.id, 'kind', NEW.kind, 'value', NEW.value, 'country', NEW.country, 'hour', postern_utc(NEW.hour),
      'threshold', NEW.threshold, 'started', NEW.started, 'approved', NEW.approved,
      'createdAt', postern_utc(NEW.created_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON suspected_groups
  FOR EACH ROW EXECUTE FUNCTION postern_suspicion_events();
