-- Returns the words of a chat's message as its index has them: each behind the key of account and quarter. An index
-- uses it, like postern_words.
CREATE OR REPLACE FUNCTION postern_chat_words(account uuid, at timestamptz, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
RETURN array_to_tsvector(ARRAY(
  SELECT postern_words_key(account, at) || left(lexeme, 64) FROM unnest(postern_words(body))
));
