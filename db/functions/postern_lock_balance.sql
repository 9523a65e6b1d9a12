-- Locks the newest version of an account's row, and returns its place and balance; nothing if there is none, or if
-- it is locked and the call does not wait (decisions 0065 and 0086).
CREATE OR REPLACE FUNCTION postern_lock_balance(
  account uuid, waits boolean, OUT place tid, OUT balance numeric
) RETURNS SETOF record
LANGUAGE plpgsql ROWS 1 SET enable_sort = off SET jit = off AS $$
BEGIN
  IF waits THEN
    RETURN QUERY SELECT a.ctid, a.balance FROM accounts AS a
    WHERE a.id = account ORDER BY a.period DESC LIMIT 1 FOR NO KEY UPDATE;
  ELSE
    RETURN QUERY SELECT a.ctid, a.balance FROM accounts AS a
    WHERE a.id = account ORDER BY a.period DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  END IF;
END $$;
