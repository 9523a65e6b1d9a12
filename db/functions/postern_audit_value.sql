-- Returns what an entry of the audit shows of a value: of a secret (5) and a hashed (6) one not the value itself,
-- nor of a long one.
CREATE OR REPLACE FUNCTION postern_audit_value(kind integer, value jsonb, about jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF value = 'null' THEN
    RETURN value;
  ELSIF kind = 5 THEN
    RETURN '"***"';
  ELSIF kind = 6 OR length(value::text) > 2000 THEN
    RETURN to_jsonb(postern_audit_hash(value #>> '{}', about));
  END IF;
  RETURN value;
END $$;
