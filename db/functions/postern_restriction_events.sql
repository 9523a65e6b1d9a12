-- Records in its owner's event feed, if that records, that a messenger has restricted an account, or that this is over.
CREATE OR REPLACE FUNCTION postern_restriction_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id,
      CASE WHEN NEW.restriction IS NULL THEN 'messengerAccount.lifted' ELSE 'messengerAccount.restricted' END,
      'messengerAccount', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'source', NEW.source, 'login', NEW.login, 'name', NEW.name,
        'restriction', NEW.restriction, 'restrictionReason', NEW.restriction_reason,
        'restrictedAt', postern_utc(NEW.restricted_at), 'restrictedUntil', postern_utc(NEW.restricted_until)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_restriction AFTER UPDATE OF restriction, restricted_until ON messenger_accounts
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (NEW.restriction, NEW.restricted_until)
    IS DISTINCT FROM (OLD.restriction, OLD.restricted_until)) EXECUTE FUNCTION postern_restriction_events();
