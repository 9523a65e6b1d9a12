-- Deletes the clicks of a message whose recipient is erased, in the same transaction: those that came after the
-- erasure had looked for them.
CREATE OR REPLACE FUNCTION postern_forget_clicks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM clicks WHERE message_id = NEW.id;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER clicks_forget AFTER UPDATE OF "to" ON message_records
  FOR EACH ROW WHEN (NEW."to" = 'erased' AND OLD."to" <> 'erased') EXECUTE FUNCTION postern_forget_clicks();
