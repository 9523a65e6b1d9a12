-- Records who has made a project, and who has changed of it what a plan covers. While a project runs, its operation
-- has decided which changes keep its approval.
CREATE OR REPLACE FUNCTION postern_project_content() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed text;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT string_agg(after.key, ', ' ORDER BY after.key) INTO changed
    FROM jsonb_each(to_jsonb(NEW)) AS after JOIN jsonb_each(to_jsonb(OLD)) AS before USING (key)
    WHERE after.value <> before.value AND after.key IN ('account_id', 'account_uuids', 'attachment_uuids', 'audience',
      'category', 'channel', 'from_address', 'html', 'languages', 'on_missing_variable', 'retry', 'sender', 'speed',
      'start_at', 'start_within_seconds', 'stop_on_reply', 'subject', 'template', 'text', 'track_clicks', 'variants',
      'window');
    IF changed IS NULL THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM postern_content_changed(NEW.owner_id, NEW.id,
    CASE WHEN TG_OP = 'UPDATE' AND OLD.status NOT IN ('running', 'paused') THEN ARRAY[NEW.id] ELSE '{}' END, changed);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER content_insert AFTER INSERT ON sending_projects
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> '') EXECUTE FUNCTION postern_project_content();
CREATE OR REPLACE TRIGGER content_update AFTER UPDATE OF account_id, account_uuids, attachment_uuids, audience,
  category, channel, from_address, html, languages, on_missing_variable, retry, sender, speed, start_at,
  start_within_seconds, stop_on_reply, subject, template, text, track_clicks, variants, "window" ON sending_projects
  FOR EACH ROW WHEN (current_setting('postern.audit', true) <> '') EXECUTE FUNCTION postern_project_content();
