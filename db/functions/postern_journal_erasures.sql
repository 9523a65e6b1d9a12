-- Notes erasures of contacts for the journal outside the database.
CREATE OR REPLACE FUNCTION postern_journal_erasures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal_entries (kind, owner_id, row_id)
  SELECT 'erasure', owner_id, contact_id FROM came WHERE contact_id IS NOT NULL;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER journal_insert AFTER INSERT ON erasures
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_journal_erasures();
