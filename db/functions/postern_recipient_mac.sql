-- Returns the HMAC (RFC 2104 with SHA-256, 64 hexadecimal digits) of a recipient as a message depends on it, under a
-- key of the owner whose two padded blocks are given.
CREATE OR REPLACE FUNCTION postern_recipient_mac(
  inner_block bytea, outer_block bytea, address text, name text, timezone text, variables jsonb
) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT encode(sha256(outer_block || sha256(inner_block
  || convert_to(jsonb_build_array(address, name, timezone, variables)::text, 'UTF8'))), 'hex')
$$;
