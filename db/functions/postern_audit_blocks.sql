-- Writes blocks and unblocks into the audit. Blocks come by the thousand: a statement that changes more than 20
-- leaves one entry for each owner.
CREATE OR REPLACE FUNCTION postern_audit_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := current_setting('postern.audit')::jsonb;
  argument text[] := ARRAY['block', 'id', 'owner_id', 'reason,scope', '', 'phone'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM came LIMIT 21) AS few) <= 20 THEN
      PERFORM postern_audit_entry(about, owner_id, 'block', id::text,
        postern_audit_changes(NULL, to_jsonb(came), argument, about)) FROM came;
    ELSE
      PERFORM postern_audit_entry(about, owner_id, 'block', NULL,
        jsonb_build_object('blocks', jsonb_build_array(0, count(*)))) FROM came GROUP BY owner_id;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF (SELECT count(*) FROM (SELECT FROM went LIMIT 21) AS few) <= 20 THEN
      PERFORM postern_audit_entry(about, owner_id, 'block', id::text,
        postern_audit_changes(to_jsonb(went), NULL, argument, about)) FROM went;
    ELSE
      PERFORM postern_audit_entry(about, owner_id, 'block', NULL,
        jsonb_build_object('blocks', jsonb_build_array(count(*), 0))) FROM went GROUP BY owner_id;
    END IF;
  ELSIF (SELECT count(*) FROM (SELECT FROM came LIMIT 21) AS few) <= 20 THEN
    PERFORM postern_audit_entry(about, c.owner_id, 'block', c.id::text, d.changes)
    FROM came AS c JOIN went AS w USING (id)
    CROSS JOIN LATERAL (SELECT postern_audit_changes(to_jsonb(w), to_jsonb(c), argument, about) AS changes) AS d
    WHERE d.changes IS NOT NULL;
  ELSE
    PERFORM postern_audit_entry(about, c.owner_id, 'block', NULL,
      jsonb_build_object('blocks', jsonb_build_array(count(*), count(*))))
    FROM came AS c JOIN went AS w USING (id)
    WHERE (w.reason, w.scope, w.phone) IS DISTINCT FROM (c.reason, c.scope, c.phone) GROUP BY c.owner_id;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER audit_delete AFTER DELETE ON blocked_phones
  REFERENCING OLD TABLE AS went FOR EACH STATEMENT WHEN (current_setting('postern.audit', true) <> '')
  EXECUTE FUNCTION postern_audit_blocks();
CREATE OR REPLACE TRIGGER audit_insert AFTER INSERT ON blocked_phones
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT WHEN (current_setting('postern.audit', true) <> '')
  EXECUTE FUNCTION postern_audit_blocks();
CREATE OR REPLACE TRIGGER audit_update AFTER UPDATE ON blocked_phones
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT
    WHEN (current_setting('postern.audit', true) <> '')
  EXECUTE FUNCTION postern_audit_blocks();
