-- Spreads blocks that became wider, or lasting, to the other addresses of the same people, of owners with messenger
-- accounts. The rows before and after are counted against each other: a join would be planned for one row, and be slow
-- for many.
CREATE OR REPLACE FUNCTION postern_widen_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  PERFORM postern_spread_blocks(w.owner_id, array_agg(w.key)) FROM (
    SELECT b.owner_id, b.key FROM (
      SELECT 1 AS n, id, owner_id, COALESCE(address_key, phone) AS key, scope, expires_at, stopped_at FROM came
      UNION ALL SELECT -1, id, owner_id, COALESCE(address_key, phone), scope, expires_at, stopped_at FROM was
    ) AS b
    WHERE b.key LIKE '+%' OR b.key LIKE '@%' OR b.key LIKE '__.%' AND b.key NOT LIKE '%@%'
    GROUP BY b.id, b.owner_id, b.key
    HAVING sum(b.n) FILTER (WHERE b.scope = 'all') > 0 OR sum(b.n) FILTER (WHERE b.expires_at IS NULL) > 0
      OR sum(b.n) FILTER (WHERE b.stopped_at IS NOT NULL) > 0
  ) AS w
  WHERE EXISTS (SELECT FROM messenger_accounts AS a WHERE a.owner_id = w.owner_id)
  GROUP BY w.owner_id;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER person_update AFTER UPDATE ON blocked_phones
  REFERENCING OLD TABLE AS was NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_widen_person();
