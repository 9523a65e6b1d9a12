-- Records blocks, unblocks and suppressed addresses in their owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_block_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'block.added', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope,
        'expiresAt', postern_utc(c.expires_at), 'createdAt', postern_utc(c.created_at))
    FROM came AS c WHERE true AND EXISTS (SELECT FROM event_feeds AS f
      WHERE f.owner_id = c.owner_id AND f.recording);
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'address.suppressed', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope,
        'expiresAt', postern_utc(c.expires_at), 'createdAt', postern_utc(c.created_at))
    FROM came AS c WHERE c.reason IN ('softBounce', 'hardBounce', 'complaint')
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'address.suppressed', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope,
        'expiresAt', postern_utc(c.expires_at), 'createdAt', postern_utc(c.created_at))
    FROM came AS c JOIN went AS w USING (id)
      WHERE c.reason IN ('softBounce', 'hardBounce', 'complaint') AND w.reason <> c.reason
      AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording);
  ELSE
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    SELECT c.owner_id, 'block.removed', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope,
        'expiresAt', postern_utc(c.expires_at), 'createdAt', postern_utc(c.created_at))
    FROM went AS c WHERE true AND EXISTS (SELECT FROM event_feeds AS f
      WHERE f.owner_id = c.owner_id AND f.recording);
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_delete AFTER DELETE ON blocked_phones
  REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION postern_block_events();
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON blocked_phones
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_block_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE ON blocked_phones
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_block_events();
