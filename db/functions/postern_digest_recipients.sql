-- Keeps the digest of a project's recipients in the statement that adds or removes them, if their owner makes plans:
-- the sum of their HMACs, spread over rows by session. A person who is erased stays in the digest, so that an erasure
-- voids no approval; how many these are is counted beside it.
CREATE OR REPLACE FUNCTION postern_digest_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mine CONSTANT smallint := pg_backend_pid() % 8;
  modulus CONSTANT numeric :=
    115792089237316195423570985008687907853269984665640564039457584007913129639936;
  is_erasure CONSTANT boolean := TG_OP = 'DELETE' AND current_setting('postern.erasure', true) = 'on';
  is_audited CONSTANT boolean := current_setting('postern.audit', true) <> '';
  project record;
  part numeric;
BEGIN
  FOR project IN
    SELECT p.id, p.owner_id, k.inner_block, k.outer_block, c.recipients
    FROM (SELECT project_id, count(*) AS recipients FROM changed GROUP BY project_id) AS c
    JOIN sending_projects AS p ON p.id = c.project_id LEFT JOIN audience_keys AS k ON k.owner_id = p.owner_id
    ORDER BY p.id
  LOOP
    IF project.inner_block IS NOT NULL AND is_erasure THEN
      INSERT INTO audience_digests AS d (project_id, shard, erased) VALUES (project.id, mine, project.recipients)
      ON CONFLICT (project_id, shard) DO UPDATE SET erased = d.erased + EXCLUDED.erased;
    ELSIF project.inner_block IS NOT NULL THEN
      -- A new recipient has this lock of its foreign key. It keeps approvals/digests.py from counting anew.
      PERFORM FROM sending_projects WHERE id = project.id FOR KEY SHARE;
      part := postern_mac_sum(ARRAY(
        SELECT postern_recipient_mac(project.inner_block, project.outer_block, address, name, timezone, variables)
        FROM changed WHERE project_id = project.id));
      IF TG_OP = 'DELETE' THEN
        part := modulus - part;
        project.recipients := -project.recipients;
      END IF;
      INSERT INTO audience_digests AS d (project_id, shard, recipients, digest)
      VALUES (project.id, mine, project.recipients, mod(part, modulus))
      ON CONFLICT (project_id, shard) DO UPDATE SET
        recipients = d.recipients + EXCLUDED.recipients, digest = mod(d.digest + EXCLUDED.digest, modulus);
    END IF;
    IF is_audited AND NOT is_erasure THEN
      PERFORM postern_content_changed(project.owner_id, project.id, ARRAY[project.id], 'recipients');
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER digest_insert AFTER INSERT ON recipients
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION postern_digest_recipients();
CREATE OR REPLACE TRIGGER digest_delete AFTER DELETE ON recipients
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION postern_digest_recipients();
