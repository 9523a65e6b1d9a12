-- Returns the beginning that the words of an account's chats have in a quarter of a year. An index uses it, like
-- postern_words.
CREATE OR REPLACE FUNCTION postern_words_key(account uuid, at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN right(account::text, 12) || lpad(to_hex(least(4095, greatest(0,
  floor(extract(epoch FROM at - timestamptz '2010-01-01 00:00Z') / (91 * 86400))))::int), 3, '0');
