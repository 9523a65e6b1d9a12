-- Returns whether chats of an owner say that a user name (in lower case) is of more than one person: a name may change
-- hands, and the chat of the former person then still has it. Chats are of one person if they have one thread, phone or
-- user id in common, and none has another phone or user id.
CREATE OR REPLACE FUNCTION postern_name_is_shared(owner uuid, user_name text) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH having_it AS (
    SELECT a.source, c.thread, c.phone, c.user_id FROM messenger_accounts AS a
    JOIN messenger_chats AS c ON c.account_id = a.id AND lower(c.username) = user_name
    WHERE a.owner_id = owner AND c.kind = 'user'
  )
  SELECT count(*) > 1 AND (
    count(DISTINCT source) > 1 OR count(DISTINCT phone) > 1 OR count(DISTINCT user_id) > 1
    OR NOT (count(DISTINCT thread) = 1 OR EXISTS (
      SELECT FROM having_it AS one WHERE NOT EXISTS (
        SELECT FROM having_it AS other
        WHERE (other.thread = one.thread OR other.phone = one.phone OR other.user_id = one.user_id) IS NOT TRUE)
    ))) FROM having_it
$$;
