-- Returns the words of a text. The parser would keep addresses and paths whole, so the marks within them part
-- words, in texts and in searches. An index uses it: a change of what it returns needs a new name and a new index.
CREATE OR REPLACE FUNCTION postern_words(body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN to_tsvector('pg_catalog.simple'::regconfig,
  translate(left(body, 10000), $m$./\\:@-_#&=?+,;|~*'"()[]{}<>«»„“”‘’…–—·$m$, repeat(' ', 60)));
