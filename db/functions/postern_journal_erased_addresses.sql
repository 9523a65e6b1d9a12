-- Notes the hashes of addresses that are erased for the journal outside the database; the rows themselves are deleted
-- when the erasure is done.
CREATE OR REPLACE FUNCTION postern_journal_erased_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal_entries (kind, owner_id, hash)
  SELECT 'erased_address', owner_id, address_hash FROM came WHERE address_hash IS NOT NULL;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER journal_insert AFTER INSERT ON erasure_addresses
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_journal_erased_addresses();
