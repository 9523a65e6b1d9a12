-- Records that a chain has gone on to another step, and that it is settled, in its owner's event feed, if that records.
-- The transaction has changed the head before, so the event shows the message as it is then.
CREATE OR REPLACE FUNCTION postern_chain_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT NEW.owner_id, 'message.' || e.type, 'message', NEW.id, NULL, NEW.account_id,
    jsonb_strip_nulls(jsonb_build_object('channel', m.channel, 'status', NULLIF(m.status, m.state),
      'deliveryState', m.state, 'to', m."to", 'sender', m.sender, 'price', m.price, 'failureCode', m.failure_code,
      'failureReason', m.failure_reason, 'reportedBy', m.reported_by,
      'category', NULLIF(m.category, 'transactional'), 'createdAt', postern_utc(m.created_at),
      'sentAt', postern_utc(m.sent_at), 'deliveredAt', postern_utc(m.delivered_at),
      'bouncedAt', postern_utc(m.bounced_at), 'complainedAt', postern_utc(m.complained_at))
      || jsonb_build_object('step', NEW.current, 'stepCount', jsonb_array_length(NEW.steps)))
  FROM messages AS m CROSS JOIN LATERAL (
    SELECT 'stepped' AS type WHERE NEW.current > OLD.current AND NEW.current > 1
    UNION ALL SELECT 'settled' WHERE OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL
  ) AS e
  WHERE m.id = NEW.id AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_chain AFTER UPDATE ON message_chains FOR EACH ROW
  WHEN (NEW.current <> OLD.current OR OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL)
  EXECUTE FUNCTION postern_chain_events();
