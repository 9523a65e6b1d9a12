-- Gives a key to a recipient that was added without one, and leaves out one whose key is there, as ON CONFLICT DO
-- NOTHING leaves out others. Without statistics, as in a new table, the plan of the first row would walk over the
-- table for each of a million, hence the option. KEYED in db/address_keys.py keeps the trigger from being called.
CREATE OR REPLACE FUNCTION postern_key_recipient() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  key CONSTANT text := lower(NEW.address);
BEGIN
  IF EXISTS (SELECT FROM recipients WHERE project_id = NEW.project_id AND COALESCE(address_key, address) = key) THEN
    RETURN NULL;
  END IF;
  NEW.address_key := NULLIF(key, NEW.address);
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER key_recipient BEFORE INSERT ON recipients
  FOR EACH ROW WHEN (current_setting('postern.keyed', true) IS DISTINCT FROM 'on' AND NEW.address_key IS NULL
    AND NEW.address LIKE '%@%' AND NEW.address NOT LIKE '{%')
  EXECUTE FUNCTION postern_key_recipient();
