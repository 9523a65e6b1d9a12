-- Records that a version of a template was published in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_template_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'template.published', 'templateVersion', NEW.id, NULL, NULL, jsonb_build_object(
        'uuid', NEW.id, 'templateId', NEW.template_id, 'number', NEW.number, 'locales', NEW.locales,
        'defaultLocale', NEW.default_locale, 'layoutKey', NEW.layout_key, 'name', NEW.name,
        'publishedBy', NEW.published_by, 'publishedAt', postern_utc(NEW.published_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF number ON template_versions
  FOR EACH ROW WHEN (OLD.number IS NULL AND NEW.number IS NOT NULL) EXECUTE FUNCTION postern_template_events();
