-- Records that an account was used up in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_balance_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, 'account.empty', 'account', NEW.id, NULL, NEW.id,
      jsonb_build_object('uuid', NEW.id, 'name', NEW.name, 'currency', NEW.currency, 'balance', NEW.balance));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_update_balance AFTER UPDATE OF balance ON accounts
  FOR EACH ROW WHEN (OLD.balance > 0 AND NEW.balance = 0) EXECUTE FUNCTION postern_balance_events();
