-- Records that an export ended in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_export_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.status WHEN 'ready' THEN 'export.finished'
      ELSE 'export.failed' END, 'exportLink', NEW.id, NEW.sending_project_uuid, NULL,
      jsonb_build_object('uuid', NEW.id, 'source', NEW.source, 'status', NEW.status,
      'statusReason', NEW.status_reason, 'format', NEW.format, 'total', NEW.total, 'done', NEW.done,
      'fileUuid', NEW.file_uuid));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_status AFTER UPDATE OF status ON export_links
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status IN ('ready', 'failed'))
  EXECUTE FUNCTION postern_export_events();
