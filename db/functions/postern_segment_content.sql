-- Records who has changed the conditions of a segment, and voids the approvals of projects whose audience names it
-- and that have not begun: a start stores the conditions.
CREATE OR REPLACE FUNCTION postern_segment_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM postern_content_changed(NEW.owner_id, NEW.id, ARRAY(
    SELECT DISTINCT p.id FROM project_approvals AS a JOIN sending_projects AS p ON p.id = a.project_id
    WHERE a.owner_id = NEW.owner_id AND a.state IN ('asked', 'approved') AND p.audience_segments IS NULL
      AND (p.audience -> 'segmentUuids' ? NEW.id::text OR p.audience -> 'exceptSegmentUuids' ? NEW.id::text)
  ), 'segment');
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER content_update AFTER UPDATE OF filter ON segments
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> '' AND NEW.filter IS DISTINCT FROM OLD.filter)
  EXECUTE FUNCTION postern_segment_content();
