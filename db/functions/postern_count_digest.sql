-- Makes the digest of a project's recipients anew, page by page. The caller has locked the project's
-- row FOR UPDATE, so that no recipient is added or removed meanwhile.
CREATE OR REPLACE FUNCTION postern_count_digest(project uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  modulus CONSTANT numeric :=
    115792089237316195423570985008687907853269984665640564039457584007913129639936;
  key record;
  page record;
  last bigint := -1;
  counted bigint := 0;
  total numeric := 0;
BEGIN
  SELECT k.* INTO STRICT key FROM audience_keys AS k JOIN sending_projects AS p ON p.owner_id = k.owner_id
  WHERE p.id = project;
  LOOP
    SELECT count(*) AS rows, max(seq) AS last, postern_mac_sum(array_agg(
      postern_recipient_mac(key.inner_block, key.outer_block, address, name, timezone, variables))) AS part INTO page
    FROM (SELECT * FROM recipients WHERE project_id = project AND seq > last ORDER BY seq LIMIT 20000) AS r;
    EXIT WHEN page.rows = 0;
    last := page.last;
    counted := counted + page.rows;
    total := mod(total + page.part, modulus);
  END LOOP;
  DELETE FROM audience_digests WHERE project_id = project;
  INSERT INTO audience_digests (project_id, shard, recipients, digest) VALUES (project, 0, counted, total);
END $$;
