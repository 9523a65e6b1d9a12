-- Returns the terms by which a contact is found: hashes of owner, key and value of each field, the day of each
-- date, the locale, and each beginning of a word of the name. The column contacts.terms has them: a change of what
-- it returns needs a new name and a new column.
CREATE OR REPLACE FUNCTION postern_contact_terms(owner uuid, fields jsonb, name text, locale text)
RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT hashtextextended(owner::text || '|' || f.key || '?', 0) FROM jsonb_each(fields) AS f
  UNION ALL SELECT unnest(postern_contact_values(owner, f.key, f.value)) FROM jsonb_each(fields) AS f
  UNION ALL SELECT hashtextextended(owner::text || '|' || f.key || '#' || substr(f.value, 6), 0)
    FROM jsonb_each_text(fields) AS f WHERE f.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
  UNION ALL SELECT hashtextextended(owner::text || '|' || '$locale=' || locale, 0) WHERE locale IS NOT NULL
  UNION ALL SELECT hashtextextended(owner::text || '|' || '$name=' || left(w.lexeme, n), 0)
    FROM unnest(postern_words(left(name, 200))) AS w, generate_series(1, LEAST(length(w.lexeme), 12)) AS n
);
