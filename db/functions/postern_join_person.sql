-- Spreads older blocks to the addresses that a messenger names together from now on.
CREATE OR REPLACE FUNCTION postern_join_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM postern_spread_blocks(a.owner_id,
    array_remove(ARRAY[NEW.phone, lower('@' || NEW.username), NEW.user_id], NULL))
  FROM messenger_accounts AS a WHERE a.id = NEW.account_id;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER person_insert AFTER INSERT ON messenger_chats
  FOR EACH ROW WHEN (NEW.kind = 'user' AND num_nonnulls(NEW.phone, NEW.username, NEW.user_id) > 1)
  EXECUTE FUNCTION postern_join_person();
CREATE OR REPLACE TRIGGER person_update AFTER UPDATE OF phone, username, user_id ON messenger_chats
  FOR EACH ROW WHEN (NEW.kind = 'user' AND num_nonnulls(NEW.phone, NEW.username, NEW.user_id) > 1
    AND (NEW.phone, NEW.username, NEW.user_id) IS DISTINCT FROM (OLD.phone, OLD.username, OLD.user_id))
  EXECUTE FUNCTION postern_join_person();
