-- Notes withdrawals for the journal outside the database (engine/restore/journal.py).
CREATE OR REPLACE FUNCTION postern_journal_withdrawals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal_entries (kind, owner_id, row_id, topic_id, channel)
  SELECT 'withdrawal', owner_id, contact_id, topic_id, channel FROM came WHERE action = 'withdrawn';
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER journal_insert AFTER INSERT ON consent_entries
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_journal_withdrawals();
