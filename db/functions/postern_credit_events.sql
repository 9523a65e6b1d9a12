-- Records that an account was credited in its owner's event feed, if that records. The trigger waits for the
-- commit, so that the balance is that after the credit. A constraint trigger can't be replaced: a changed one gets
-- a new name.
CREATE OR REPLACE FUNCTION postern_credit_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT a.owner_id, 'account.credited', 'account', a.id, NULL, a.id,
    jsonb_build_object('uuid', a.id, 'name', a.name, 'currency', a.currency, 'amount', NEW.amount,
      'balance', a.balance,
      'entryId', NEW.id, 'note', NEW.note)
  FROM accounts AS a WHERE a.id = NEW.account_id
    AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = a.owner_id AND f.recording);
  RETURN NULL;
END $$;

-- Triggers
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'events_credit' AND tgrelid = 'ledger_entries'::regclass) THEN
    CREATE CONSTRAINT TRIGGER events_credit AFTER INSERT ON ledger_entries
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'credit')
      EXECUTE FUNCTION postern_credit_events();
  END IF;
END $$;
