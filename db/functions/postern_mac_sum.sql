-- Returns the sum of HMACs of 64 hexadecimal digits modulo 2^256: it is the same in any order, and a part can be
-- taken away again. It adds pieces of 60 bits, which fit into bigint, and at last 16 bits.
CREATE OR REPLACE FUNCTION postern_mac_sum(macs text[]) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT COALESCE(mod(
  sum(('x' || substr(mac, 1, 15))::bit(60)::bigint)
    * 100433627766186892221372630771322662657637687111424552206336
  + sum(('x' || substr(mac, 16, 15))::bit(60)::bigint) * 87112285931760246646623899502532662132736
  + sum(('x' || substr(mac, 31, 15))::bit(60)::bigint) * 75557863725914323419136
  + sum(('x' || substr(mac, 46, 15))::bit(60)::bigint) * 65536
  + sum(('x' || substr(mac, 61, 4))::bit(16)::integer),
  115792089237316195423570985008687907853269984665640564039457584007913129639936), 0)
FROM unnest(macs) AS mac
$$;
