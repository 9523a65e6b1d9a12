-- Spreads a block that became wider, or lasting, to the other addresses of the same person.
CREATE OR REPLACE FUNCTION postern_widen_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() = 1 THEN
    PERFORM postern_spread_blocks(NEW.owner_id, ARRAY[COALESCE(NEW.address_key, NEW.phone)]);
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER person_update AFTER UPDATE OF scope, expires_at, stopped_at ON blocked_phones
  FOR EACH ROW WHEN (NEW.scope = 'all' AND OLD.scope <> 'all' OR NEW.expires_at IS NULL AND OLD.expires_at IS NOT NULL
    OR NEW.stopped_at IS NOT NULL AND OLD.stopped_at IS NULL) EXECUTE FUNCTION postern_widen_person();
