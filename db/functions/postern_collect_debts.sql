-- Takes what an account owes from its balance, the oldest debt first, with a charge for each debt. db/ledger.py calls
-- it after a credit.
CREATE OR REPLACE FUNCTION postern_collect_debts(account uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found_account record;
  debt record;
  paid numeric;
  sum numeric := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM account_debts AS d WHERE d.account_id = account) THEN
    RETURN;
  END IF;
  SELECT b.place, b.balance INTO found_account FROM postern_lock_balance(account, true) AS b;
  FOR debt IN
    SELECT d.* FROM account_debts AS d WHERE d.account_id = account ORDER BY d.id FOR UPDATE
  LOOP
    paid := LEAST(debt.amount, found_account.balance - sum);
    EXIT WHEN paid <= 0;
    INSERT INTO ledger_entries (id, account_id, kind, amount, reference, attempt, project_id)
    VALUES (postern_uuid7(), account, 'charge', -paid, debt.reference, debt.attempt, debt.project_id);
    IF paid = debt.amount THEN
      DELETE FROM account_debts AS d WHERE d.id = debt.id;
    ELSE
      UPDATE account_debts AS d SET amount = d.amount - paid, attempt = d.attempt + 1 WHERE d.id = debt.id;
    END IF;
    sum := sum + paid;
  END LOOP;
  UPDATE accounts AS a SET balance = a.balance - sum, owed = a.owed - sum, updated_at = now(),
    period = (extract(epoch FROM now()) / 2)::bigint
  WHERE a.ctid = found_account.place;
END $$;
