-- Returns the account that pays, by the newest version of its row (decision 0065).
CREATE OR REPLACE FUNCTION postern_payer(account uuid) RETURNS TABLE(id uuid, owner_id uuid, currency text)
LANGUAGE plpgsql STABLE ROWS 1 SET enable_sort = off SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT a.id, a.owner_id, a.currency FROM accounts AS a
  WHERE a.id = account ORDER BY a.period DESC LIMIT 1;
END $$;
