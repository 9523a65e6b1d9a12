-- Records that an account fell below its low balance in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_low_balance_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'account.low', 'account', NEW.id, NULL, NEW.id, jsonb_build_object('uuid', NEW.id,
      'name', NEW.name, 'currency', NEW.currency, 'balance', NEW.balance, 'lowBalance', NEW.low_balance));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_low_balance AFTER UPDATE OF balance ON accounts
  FOR EACH ROW WHEN (OLD.balance >= NEW.low_balance AND NEW.balance < NEW.low_balance)
  EXECUTE FUNCTION postern_low_balance_events();
