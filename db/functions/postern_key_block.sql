-- Gives a key to a block that was added without one. Only an email can need one, and lower case is the key of
-- nearly all.
CREATE OR REPLACE FUNCTION postern_key_block() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  same record;
BEGIN
  -- The row that the insert is going to update, under whatever spelling it has.
  SELECT b.phone, b.address_key INTO same FROM blocked_phones AS b
  WHERE b.owner_id = NEW.owner_id AND COALESCE(b.address_key, b.phone) = lower(NEW.phone);
  IF FOUND THEN
    NEW.phone := same.phone;
    NEW.address_key := same.address_key;
  ELSE
    NEW.address_key := NULLIF(lower(NEW.phone), NEW.phone);
  END IF;
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER key_block BEFORE INSERT ON blocked_phones
  FOR EACH ROW WHEN (NEW.address_key IS NULL AND NEW.phone LIKE '%@%') EXECUTE FUNCTION postern_key_block();
