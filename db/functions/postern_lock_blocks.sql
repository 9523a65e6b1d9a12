-- Takes the locks of engine/blocks.py for the blocks of these addresses, and of all other addresses of the same people
-- (postern_person_ids), in one order: a block of one id is written to the others too, so that two writers who began
-- with different ids of one person would wait for each other. PostgreSQL has room for some thousand locks: a writer of
-- more addresses takes one lock of the owner, which every other writer of the owner's blocks shares.
CREATE OR REPLACE FUNCTION postern_lock_blocks(owner uuid, keys text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(keys) > 1000 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('blocks:' || owner, 0));
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('blocks:' || owner, 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('block:' || owner || ':' || n.key, 0)) FROM (
    SELECT k AS key FROM unnest(keys) AS k
    UNION SELECT COALESCE(o.address_key, o.address) FROM unnest(keys) AS k, LATERAL postern_person_ids(owner, k) AS o
    WHERE (k LIKE '+%' OR k LIKE '@%' OR k LIKE '__.%' AND k NOT LIKE '%@%')
      AND EXISTS (SELECT FROM messenger_accounts AS a WHERE a.owner_id = owner)
    ORDER BY key OFFSET 0
  ) AS n;
END $$;
