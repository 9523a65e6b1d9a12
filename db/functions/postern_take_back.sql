-- Takes an amount from an account that was refunded too early: what its balance has at once, as a charge, and the rest
-- from the next credit. db/ledger.py alone calls it.
CREATE OR REPLACE FUNCTION postern_take_back(
  account uuid, entry uuid, amount numeric, about uuid, number integer, project uuid
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found_account record;
  taken numeric;
BEGIN
  SELECT b.place, b.balance INTO found_account FROM postern_lock_balance(account, true) AS b;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  taken := LEAST(found_account.balance, amount);
  IF taken > 0 THEN
    INSERT INTO ledger_entries (id, account_id, kind, amount, reference, attempt, project_id)
    VALUES (entry, account, 'charge', -taken, about, number, project);
  END IF;
  IF taken < amount THEN
    INSERT INTO account_debts (id, account_id, amount, reference, attempt, project_id)
    VALUES (entry, account, amount - taken, about, number + (taken > 0)::integer, project);
  END IF;
  UPDATE accounts AS a SET balance = a.balance - taken, owed = a.owed + amount - taken, updated_at = now(),
    period = (extract(epoch FROM now()) / 2)::bigint
  WHERE a.ctid = found_account.place;
END $$;
