-- Notes, for the journal outside the database, the blocks that people ask for: by a stop word, an unsubscribe link or
-- a complaint. Blocks of the owner and of bounces are not noted.
CREATE OR REPLACE FUNCTION postern_journal_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO journal_entries (kind, owner_id, row_id)
    SELECT 'block', owner_id, id FROM came WHERE reason IN ('optOut', 'unsubscribed', 'complaint');
  ELSE
    INSERT INTO journal_entries (kind, owner_id, row_id)
    SELECT 'block', c.owner_id, c.id FROM came AS c JOIN went AS w USING (id)
    WHERE c.reason IN ('optOut', 'unsubscribed', 'complaint') AND (c.reason, c.scope) <> (w.reason, w.scope);
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER journal_insert AFTER INSERT ON blocked_phones
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_journal_blocks();
CREATE OR REPLACE TRIGGER journal_update AFTER UPDATE ON blocked_phones
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_journal_blocks();
