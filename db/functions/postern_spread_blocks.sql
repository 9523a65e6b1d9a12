-- Blocks the other addresses of the people who have these keys (postern_person_ids), as those are blocked. A stop word
-- notes what stood before, as in engine/blocks.py. No block is narrowed, and taking one away takes away no other.
CREATE OR REPLACE FUNCTION postern_spread_blocks(owner uuid, keys text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO blocked_phones AS known (id, owner_id, phone, address_key, reason, scope, expires_at, stopped_at)
  SELECT DISTINCT ON (COALESCE(o.address_key, o.address)) postern_uuid7(), owner, o.address, o.address_key, b.reason,
    b.scope, b.expires_at, b.stopped_at
  FROM blocked_phones AS b, LATERAL postern_person_ids(owner, COALESCE(b.address_key, b.phone)) AS o
  WHERE b.owner_id = owner AND COALESCE(b.address_key, b.phone) = ANY(keys)
    AND (b.expires_at IS NULL OR b.expires_at > now())
  ORDER BY COALESCE(o.address_key, o.address), b.scope
  ON CONFLICT (owner_id, COALESCE(address_key, phone)) DO UPDATE SET
    scope = CASE WHEN known.scope = 'all' THEN known.scope ELSE excluded.scope END,
    reason = CASE WHEN known.reason IN ('manual', 'softBounce') THEN excluded.reason ELSE known.reason END,
    expires_at = CASE WHEN excluded.expires_at IS NULL THEN NULL ELSE known.expires_at END,
    stopped_at = COALESCE(known.stopped_at, excluded.stopped_at),
    reason_before = CASE WHEN known.stopped_at IS NULL AND excluded.stopped_at IS NOT NULL
      AND known.expires_at IS NULL THEN known.reason ELSE known.reason_before END,
    scope_before = CASE WHEN known.stopped_at IS NULL AND excluded.stopped_at IS NOT NULL
      AND known.expires_at IS NULL THEN known.scope ELSE known.scope_before END
  WHERE known.scope = 'promotional' AND excluded.scope = 'all'
    OR known.expires_at IS NOT NULL AND excluded.expires_at IS NULL
    OR known.stopped_at IS NULL AND excluded.stopped_at IS NOT NULL
$$;
