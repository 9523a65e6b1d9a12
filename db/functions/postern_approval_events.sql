-- Records in its owner's event feed, if that records, that an approval was asked for, given, refused, withdrawn or
-- voided.
CREATE OR REPLACE FUNCTION postern_approval_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT NEW.owner_id, 'approval.' || CASE NEW.state WHEN 'void' THEN 'voided' ELSE NEW.state END, 'approval', NEW.id,
      NEW.project_id, p.account_id, jsonb_build_object(
        'uuid', NEW.id, 'state', NEW.state, 'sendingProjectUuid', NEW.project_id, 'planUuid', NEW.plan_id,
        'planHash', NEW.plan_hash, 'askedBy', NEW.asked_by, 'askedByToken', NEW.asked_by_token,
        'decidedBy', NEW.decided_by, 'note', NEW.note, 'changed', NEW.reason, 'voidedBy', NEW.voided_by,
        'askedAt', postern_utc(NEW.asked_at), 'decidedAt', postern_utc(NEW.decided_at),
        'expiresAt', postern_utc(NEW.expires_at))
    FROM sending_projects AS p WHERE p.id = NEW.project_id;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON project_approvals
  FOR EACH ROW EXECUTE FUNCTION postern_approval_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF state ON project_approvals
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION postern_approval_events();
