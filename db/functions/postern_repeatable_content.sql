-- Records who has made or changed the template of a repeatable project: its runs say what the template says.
CREATE OR REPLACE FUNCTION postern_repeatable_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM postern_content_changed(NEW.owner_id, NEW.id, '{}', NULL);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER content_insert AFTER INSERT ON repeatable_projects
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> '') EXECUTE FUNCTION postern_repeatable_content();
CREATE OR REPLACE TRIGGER content_update AFTER UPDATE OF template, source ON repeatable_projects
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> ''
    AND (NEW.template IS DISTINCT FROM OLD.template OR NEW.source IS DISTINCT FROM OLD.source))
  EXECUTE FUNCTION postern_repeatable_content();
