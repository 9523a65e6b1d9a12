-- Refuses to delete an account with messages or entries of the ledger, which have no foreign key: it would lock the
-- account's row for each.
CREATE OR REPLACE FUNCTION postern_keep_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM messages WHERE account_id = OLD.id)
    OR EXISTS (SELECT FROM ledger_entries WHERE account_id = OLD.id) THEN
    RAISE EXCEPTION 'account % has messages or entries of the ledger',
      OLD.id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN OLD;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER keep BEFORE DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION postern_keep_account();
