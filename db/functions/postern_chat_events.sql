-- Records messages of chats in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_chat_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT a.owner_id, CASE WHEN NOT NEW.outgoing THEN 'chat.received' ELSE CASE NEW.status
    WHEN 'server' THEN 'chat.sent'
      WHEN 'has_seen' THEN 'chat.read' WHEN 'errored' THEN 'chat.failed' ELSE 'chat.delivered' END END,
    'messengerMessage', NEW.id, NULL, NULL, jsonb_build_object('uuid', NEW.id, 'chatUuid', NEW.chat_id,
      'accountUuid', NEW.account_id, 'thread', NEW.thread,
      'outgoing', NEW.outgoing, 'from', NEW.sender, 'to', NEW.recipient, 'name', NEW.name,
        'text', left(NEW.text, 4096), 'details', NEW.details,
      'status', NEW.status, 'failureCode', NEW.failure_code, 'failureReason', NEW.failure_reason,
        'at', postern_utc(NEW.at))
  FROM messenger_accounts AS a WHERE a.id = NEW.account_id
    AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = a.owner_id AND f.recording);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON messenger_messages
  FOR EACH ROW WHEN (NOT NEW.past AND (NOT NEW.outgoing OR NEW.status <> 'pending'))
  EXECUTE FUNCTION postern_chat_events();
CREATE OR REPLACE TRIGGER events_update_past AFTER UPDATE OF past ON messenger_messages
  FOR EACH ROW WHEN (OLD.past AND NOT NEW.past AND NOT NEW.outgoing) EXECUTE FUNCTION postern_chat_events();
CREATE OR REPLACE TRIGGER events_update_status AFTER UPDATE OF status ON messenger_messages
  FOR EACH ROW WHEN (NEW.outgoing AND NOT NEW.past AND NEW.status <> OLD.status AND NEW.status <> 'pending')
  EXECUTE FUNCTION postern_chat_events();
