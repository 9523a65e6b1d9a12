-- Records that an import ended in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_import_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.status WHEN 'ready' THEN 'import.finished'
      ELSE 'import.failed' END, 'recipientImport', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'status', NEW.status, 'statusReason', NEW.status_reason,
      'fileName', NEW.file_name, 'total', NEW.total, 'valid', NEW.valid, 'invalid', NEW.invalid,
      'duplicates', NEW.duplicates));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_status AFTER UPDATE OF status ON recipient_imports
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status <> 'processing')
  EXECUTE FUNCTION postern_import_events();
