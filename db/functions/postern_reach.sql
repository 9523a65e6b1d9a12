-- Counts recipients, as hashes, for API tokens and memberships that have `approval_above`: the most distinct ones that
-- each may reach in 24 hours. It counts all of them for all `credentials`, or none: then it returns the credentials
-- whose limit that would exceed. Without a result everything is counted. `same_person`: the hashes are several names
-- of one person. `project`: the recipients are this project's, which it counts again while the project can send; of a
-- project that others have started it counts those again that the credential has added.
-- `inner_pad` and `outer_pad` are the blocks of the HMAC's key (engine/reach has all that calls this).
-- A recipient counts for 25 hours, so that one who is counted again need not be written again for an hour.
CREATE OR REPLACE FUNCTION postern_reach(
  credentials uuid[], hashes bytea[], same_person boolean, project uuid, inner_pad bytea, outer_pad bytea
) RETURNS TABLE(credential_id uuid, most integer, used integer, asked integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
  living record;
  again timestamptz := now() + interval '25 hours';
  distinct_hashes bytea[] := ARRAY(SELECT DISTINCT h FROM unnest(hashes) AS h);
  renewed bytea[];
  present integer;
  changed integer;
  is_refused boolean := false;
  limited uuid[] := '{}';
  additions integer[] := '{}';
BEGIN
  -- In the order of their ids, so that two transactions never wait for each other.
  FOR one IN
    SELECT t.id, t.user_id AS owner, t.approval_above AS above FROM api_tokens AS t
    WHERE t.id = ANY (credentials) AND t.approval_above IS NOT NULL
    UNION ALL
    SELECT m.id, m.owner_id, m.approval_above FROM memberships AS m
    WHERE m.id = ANY (credentials) AND m.approval_above IS NOT NULL
    ORDER BY 1
  LOOP
    -- The row is locked until the commit: what others count for this credential waits for it.
    INSERT INTO reach_counters AS c (credential_id, owner_id, recipients) VALUES (one.id, one.owner, 0)
    ON CONFLICT (credential_id) DO UPDATE SET recipients = c.recipients RETURNING c.recipients INTO used;
    FOR living IN
      SELECT r.project_id AS id, r.only_added FROM reach_projects AS r JOIN sending_projects AS p ON p.id = r.project_id
      WHERE r.credential_id = one.id AND r.renewed_at < now() - interval '1 hour' AND (
        p.status IN ('scheduled', 'running', 'paused') OR p.updated_at > now() - interval '25 hours'
      ) ORDER BY r.project_id
    LOOP
      renewed := CASE WHEN living.only_added THEN ARRAY(
        SELECT x.address_hash FROM reach_additions AS x
        WHERE x.credential_id = one.id AND x.project_id = living.id LIMIT one.above + 1
      ) ELSE ARRAY(
        SELECT substring(sha256(outer_pad || sha256(inner_pad || convert_to(
          COALESCE(x.address_key, x.address), 'UTF8'))) FROM 1 FOR 16)
        FROM recipients AS x WHERE x.project_id = living.id ORDER BY x.seq LIMIT one.above + 1
      ) END;
      UPDATE reach_recipients AS r SET counts_until = again FROM unnest(renewed) AS h
      WHERE r.credential_id = one.id AND r.address_hash = h;
      INSERT INTO reach_recipients (credential_id, address_hash, counts_until)
      SELECT one.id, h, again FROM unnest(renewed) AS h ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS changed = ROW_COUNT;
      used := used + changed;
      UPDATE reach_projects AS r SET renewed_at = now() WHERE r.credential_id = one.id AND r.project_id = living.id;
    END LOOP;
    DELETE FROM reach_recipients AS r WHERE r.credential_id = one.id AND r.counts_until <= now();
    GET DIAGNOSTICS changed = ROW_COUNT;
    used := used - changed;
    UPDATE reach_counters AS c SET recipients = used WHERE c.credential_id = one.id AND c.recipients <> used;
    SELECT count(*) INTO present FROM unnest(distinct_hashes) AS h
    JOIN reach_recipients AS r ON r.credential_id = one.id AND r.address_hash = h;
    asked := CASE WHEN same_person THEN CASE WHEN present > 0 THEN 0 ELSE 1 END
      ELSE cardinality(distinct_hashes) - present END;
    IF used + asked > one.above THEN
      is_refused := true;
      credential_id := one.id;
      most := one.above;
      RETURN NEXT;
    END IF;
    limited := limited || one.id;
    additions := additions || asked;
  END LOOP;
  IF is_refused THEN
    RETURN;
  END IF;
  FOR one IN SELECT l.id, l.number FROM unnest(limited, additions) AS l (id, number) LOOP
    UPDATE reach_recipients AS r SET counts_until = again FROM unnest(distinct_hashes) AS h
    WHERE r.credential_id = one.id AND r.address_hash = h;
    IF one.number > 0 THEN
      INSERT INTO reach_recipients (credential_id, address_hash, counts_until)
      SELECT one.id, h, again FROM unnest(CASE WHEN same_person THEN hashes[:1] ELSE distinct_hashes END) AS h
      ON CONFLICT DO NOTHING;
      UPDATE reach_counters AS c SET recipients = c.recipients + one.number WHERE c.credential_id = one.id;
    END IF;
    IF project IS NOT NULL THEN
      INSERT INTO reach_projects (credential_id, project_id, renewed_at) VALUES (one.id, project, now())
      ON CONFLICT (credential_id, project_id) DO UPDATE
      SET renewed_at = EXCLUDED.renewed_at, only_added = false;
    END IF;
  END LOOP;
END $$;
