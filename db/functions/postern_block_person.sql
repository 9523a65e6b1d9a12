-- Spreads new and wider blocks to the other addresses of the same people, of owners with messenger accounts.
CREATE OR REPLACE FUNCTION postern_block_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() = 1 THEN
    PERFORM postern_spread_blocks(c.owner_id, array_agg(COALESCE(c.address_key, c.phone))) FROM came AS c
    WHERE (c.phone LIKE '+%' OR c.phone LIKE '@%' OR c.phone LIKE '__.%' AND c.phone NOT LIKE '%@%')
      AND EXISTS (SELECT FROM messenger_accounts AS a WHERE a.owner_id = c.owner_id)
    GROUP BY c.owner_id;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER person_insert AFTER INSERT ON blocked_phones
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_block_person();
