-- Marks project messages that are `unknown` in a column of its own: an index that named `status` would have to be
-- written with every move of every message. A trigger does it, so that no statement that moves a message can forget
-- it.
CREATE OR REPLACE FUNCTION postern_mark_unknown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_unknown := CASE WHEN NEW.status = 'unknown' THEN true END;
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER mark_unknown BEFORE INSERT OR UPDATE ON message_records
  FOR EACH ROW WHEN ((NEW.status = 'unknown') IS DISTINCT FROM (NEW.is_unknown IS TRUE))
  EXECUTE FUNCTION postern_mark_unknown();
