-- Returns the terms by which contacts with these words in their name are found.
CREATE OR REPLACE FUNCTION postern_contact_names(owner uuid, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT hashtextextended(owner::text || '|' || '$name=' || left(w.lexeme, 12), 0) FROM unnest(postern_words(body)) AS w
);
