-- Returns the term of contacts that have a value of a field.
CREATE OR REPLACE FUNCTION postern_contact_known(owner uuid, key text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY[hashtextextended(owner::text || '|' || key || '?', 0)];
