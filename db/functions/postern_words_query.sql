-- Returns the query for rows of which each word of a text begins a word. Their words are cut at 40 characters, as in
-- template_words. NULL, which finds nothing: it has no word.
CREATE OR REPLACE FUNCTION postern_words_query(asked text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT string_agg(quote_literal(left(lexeme, 40)) || ':*', ' & ') FROM unnest(postern_words(asked))
)::tsquery;
