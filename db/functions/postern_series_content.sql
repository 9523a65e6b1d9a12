-- Records who has changed what a series sends to whom: under a rule of approval another person starts it.
CREATE OR REPLACE FUNCTION postern_series_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM postern_content_changed(NEW.owner_id, NEW.id, '{}', NULL);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER content AFTER INSERT OR UPDATE OF account_id, category, topic_id, segment_id, existing,
  stop_on_reply, stop_on_leave, on_missing_variable, "window", max_entries, steps ON series
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> '') EXECUTE FUNCTION postern_series_content();
