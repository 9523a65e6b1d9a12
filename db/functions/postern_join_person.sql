-- Spreads older blocks to the addresses that a messenger names together from now on. Addresses that a chat of this
-- owner has together already are left: the owner may have unblocked one of them.
CREATE OR REPLACE FUNCTION postern_join_person() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid := (SELECT owner_id FROM messenger_accounts WHERE id = NEW.account_id);
  keys text[] := array_remove(ARRAY[NEW.phone, lower('@' || NEW.username), NEW.user_id], NULL);
BEGIN
  IF NOT EXISTS (
    SELECT FROM blocked_phones WHERE owner_id = owner AND COALESCE(address_key, phone) = ANY(keys)
  ) THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' AND (NEW.phone IS NULL OR NEW.phone = OLD.phone)
    AND (NEW.username IS NULL OR lower(NEW.username) = lower(OLD.username))
    AND (NEW.user_id IS NULL OR NEW.user_id = OLD.user_id) THEN
    RETURN NULL;
  ELSIF NEW.phone IS NOT NULL AND EXISTS (
    SELECT FROM messenger_accounts AS a JOIN messenger_chats AS c ON c.account_id = a.id AND c.phone = NEW.phone
    WHERE a.owner_id = owner AND c.kind = 'user' AND c.id <> NEW.id
      AND (NEW.username IS NULL OR lower(c.username) = lower(NEW.username))
      AND (NEW.user_id IS NULL OR c.user_id = NEW.user_id)
  ) OR NEW.phone IS NULL AND EXISTS (
    SELECT FROM messenger_accounts AS a JOIN messenger_chats AS c ON c.account_id = a.id AND c.user_id = NEW.user_id
    WHERE a.owner_id = owner AND c.kind = 'user' AND c.id <> NEW.id AND lower(c.username) = lower(NEW.username)
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM postern_lock_blocks(owner, keys);
  PERFORM postern_spread_blocks(owner, keys);
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
