-- Returns a UUIDv7 (RFC 9562, method 3 of section 6.2): milliseconds, the version, and in rand_a the fraction of
-- the millisecond, so that the ids of one transaction are in order.
CREATE OR REPLACE FUNCTION postern_uuid7() RETURNS uuid LANGUAGE sql PARALLEL SAFE AS $$
SELECT encode(overlay(uuid_send(gen_random_uuid())
  PLACING int8send(us / 1000 << 16 | 28672 | us % 1000 * 4096 / 1000) FROM 1 FOR 8), 'hex')::uuid
FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS clock
$$;
