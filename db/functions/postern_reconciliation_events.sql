-- Records that a project was reconciled in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_reconciliation_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'project.reconciled', 'reconciliation', NEW.id, NEW.project_id, NULL,
      jsonb_build_object('sendingProjectUuid', NEW.project_id, 'number', NEW.number,
      'kind', NEW.kind, 'state', NEW.state, 'settled', NEW.settled, 'lineCount', NEW.line_count,
      'root', encode(NEW.root, 'hex'), 'hash', encode(NEW.hash, 'hex'), 'keyId', NEW.key_id));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_made_at AFTER UPDATE OF made_at ON reconciliations
  FOR EACH ROW WHEN (OLD.made_at IS NULL AND NEW.made_at IS NOT NULL)
  EXECUTE FUNCTION postern_reconciliation_events();
