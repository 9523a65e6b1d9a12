-- Sets the time of the last change. Statements that move most messages set the column themselves: a call costs a
-- microsecond a row.
CREATE OR REPLACE FUNCTION postern_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER touch BEFORE UPDATE ON message_records
  FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION postern_touch();
