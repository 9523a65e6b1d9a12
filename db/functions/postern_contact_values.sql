-- Returns the terms of a field's value; a list has one for each element. postern_contact_terms uses it, and so may
-- not change either.
CREATE OR REPLACE FUNCTION postern_contact_values(owner uuid, key text, value jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT hashtextextended(owner::text || '|' || key || '=' || v.part, 0) FROM jsonb_array_elements_text(
    CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE jsonb_build_array(value) END
  ) AS v (part)
);
