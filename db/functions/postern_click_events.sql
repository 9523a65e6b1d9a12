-- Records in the event feed of its owner that a recipient has clicked on a link, if the feed records. A click of a
-- machine is none, until a person clicks on the same link.
CREATE OR REPLACE FUNCTION postern_click_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT NEW.owner_id, 'message.clicked', 'click', NEW.message_id, NEW.project_id, NULL,
      jsonb_build_object('messageUuid', NEW.message_id, 'sendingProjectUuid', NEW.project_id,
      'recipientUuid', m.recipient_id, 'to', m."to", 'linkUuid', NEW.link_id, 'url', l.url, 'machine', NULL,
      'at', postern_utc(NEW.at))
    FROM message_records AS m CROSS JOIN click_links AS l WHERE m.id = NEW.message_id AND l.id = NEW.link_id;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON clicks
  FOR EACH ROW WHEN (NEW.machine IS NULL) EXECUTE FUNCTION postern_click_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF machine ON clicks
  FOR EACH ROW WHEN (NEW.machine IS NULL AND OLD.machine IS NOT NULL) EXECUTE FUNCTION postern_click_events();
