-- Records that a messenger account has another state in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_messenger_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'messengerAccount.changed', 'messengerAccount', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'source', NEW.source, 'login', NEW.login, 'name', NEW.name,
      'state', NEW.state, 'reason', NEW.reason, 'reasonCode', NEW.reason_code, 'until', postern_utc(NEW.until),
      'connectedPhone', NEW.connected_phone));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_state AFTER UPDATE OF state ON messenger_accounts
  FOR EACH ROW WHEN (NEW.state <> OLD.state AND NEW.deleted_at IS NULL) EXECUTE FUNCTION postern_messenger_events();
