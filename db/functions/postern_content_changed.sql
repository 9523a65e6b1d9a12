-- Records who has changed what a plan covers of a project or a segment, and voids the approvals of the project that are
-- asked for or given. `changed` says what it was, for the event and the page of the approval.
CREATE OR REPLACE FUNCTION postern_content_changed(
  owner uuid, object uuid, projects uuid[], changed text
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE person uuid := NULLIF(current_setting('postern.audit', true), '')::jsonb ->> 'actor';
BEGIN
  IF person IS NOT NULL THEN
    INSERT INTO content_editors AS e (object_id, person_id, owner_id, changed_at)
    VALUES (object, person, owner, clock_timestamp())
    ON CONFLICT (object_id, person_id) DO UPDATE SET changed_at = EXCLUDED.changed_at;
  END IF;
  IF projects <> '{}' THEN
    UPDATE project_approvals SET state = 'void', reason = changed, voided_by = person, decided_at = now()
    WHERE project_id = ANY (projects) AND state IN ('asked', 'approved');
  END IF;
END $$;
