-- Adds an amount to the balance of an account. Returns false, and changes nothing, if there is no such account or
-- too little in it. db/ledger.py alone calls it.
CREATE OR REPLACE FUNCTION postern_move_balance(account uuid, amount numeric) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_account record;
BEGIN
  SELECT b.place, b.balance INTO found_account FROM postern_lock_balance(account, true) AS b;
  IF NOT FOUND OR found_account.balance + amount < 0 THEN
    RETURN false;
  END IF;
  UPDATE accounts SET balance = balance + amount, updated_at = now(),
    period = (extract(epoch FROM now()) / 2)::bigint
  WHERE ctid = found_account.place;
  RETURN true;
END $$;
