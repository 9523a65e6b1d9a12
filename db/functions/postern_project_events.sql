-- Records that a project has another status or start in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_project_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, CASE NEW.status
      WHEN 'running' THEN CASE WHEN TG_OP = 'UPDATE' AND OLD.status = 'paused' THEN 'project.resumed'
        ELSE 'project.started' END
      ELSE 'project.' || NEW.status END, 'sendingProject', NEW.id, NEW.id, NEW.account_id,
        postern_project_data(NEW));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON sending_projects
  FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION postern_project_events();
CREATE OR REPLACE TRIGGER events_update_status_start_at AFTER UPDATE OF status, start_at ON sending_projects
  FOR EACH ROW WHEN (NEW.status <> 'draft' AND (NEW.status <> OLD.status
    OR (NEW.status = 'scheduled' AND NEW.start_at IS DISTINCT FROM OLD.start_at)))
  EXECUTE FUNCTION postern_project_events();
