-- Returns the other addresses of a person whom a messenger of this owner has named by several ids: phone, user name,
-- and the id that a messenger gives to a business. A user name that more than one person has leads to nobody, and
-- nobody's other ids lead to it.
CREATE OR REPLACE FUNCTION postern_person_ids(owner uuid, key text) RETURNS TABLE (address text, address_key text)
LANGUAGE sql STABLE AS $$
  WITH found AS (
    SELECT c.phone, c.username, c.user_id FROM messenger_accounts AS a
    JOIN messenger_chats AS c ON c.account_id = a.id AND c.phone = key
    WHERE a.owner_id = owner AND key LIKE '+%' AND c.kind = 'user'
    UNION SELECT c.phone, c.username, c.user_id FROM messenger_accounts AS a
    JOIN messenger_chats AS c ON c.account_id = a.id AND lower(c.username) = substr(key, 2)
    WHERE a.owner_id = owner AND key LIKE '@%' AND c.kind = 'user'
    UNION SELECT c.phone, c.username, c.user_id FROM messenger_accounts AS a
    JOIN messenger_chats AS c ON c.account_id = a.id AND c.user_id = key
    WHERE a.owner_id = owner AND c.kind = 'user'
  )
  SELECT n.address, CASE WHEN lower(n.address) <> n.address AND n.address LIKE '@%' THEN lower(n.address) END
  FROM (
    SELECT DISTINCT ON (CASE WHEN v.address LIKE '@%' THEN lower(v.address) ELSE v.address END) v.address
    FROM found AS f, LATERAL (VALUES (f.phone), ('@' || f.username), (f.user_id)) AS v (address)
    WHERE v.address IS NOT NULL
  ) AS n
  WHERE n.address <> key AND lower(n.address) <> key
    AND NOT (key LIKE '@%' AND postern_name_is_shared(owner, substr(key, 2)))
    AND NOT (n.address LIKE '@%' AND postern_name_is_shared(owner, lower(substr(n.address, 2))))
$$;
