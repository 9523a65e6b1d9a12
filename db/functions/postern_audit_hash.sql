-- Returns the HMAC of a value (RFC 2104 with SHA-256), whose key comes as its two padded blocks in `about`. Without
-- a key it tells nothing of the value.
CREATE OR REPLACE FUNCTION postern_audit_hash(value text, about jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN about ->> 'inner' IS NULL THEN '***' ELSE 'hmac:' || left(encode(
  sha256(decode(about ->> 'outer', 'hex') || sha256(decode(about ->> 'inner', 'hex') || convert_to(value, 'UTF8'))),
  'hex'), 16) END
$$;
