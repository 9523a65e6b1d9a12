-- Records that a chat was closed or opened again in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_closed_chat_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT a.owner_id, CASE WHEN NEW.closed_at IS NULL THEN 'chat.reopened' ELSE 'chat.closed' END, 'messengerChat',
    NEW.id, NULL, NULL, jsonb_build_object('uuid', NEW.id, 'accountUuid', NEW.account_id, 'thread', NEW.thread,
      'kind', NEW.kind, 'name', NEW.name, 'phone', NEW.phone, 'username', NEW.username, 'unread', NEW.unread,
      'lastAt', postern_utc(NEW.last_at), 'closedAt', postern_utc(NEW.closed_at))
  FROM messenger_accounts AS a
  WHERE a.id = NEW.account_id AND EXISTS (SELECT FROM event_feeds AS f
    WHERE f.owner_id = a.owner_id AND f.recording);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_closed AFTER UPDATE OF closed_at ON messenger_chats
  FOR EACH ROW WHEN ((OLD.closed_at IS NULL) <> (NEW.closed_at IS NULL))
  EXECUTE FUNCTION postern_closed_chat_events();
