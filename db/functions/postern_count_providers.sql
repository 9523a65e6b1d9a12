-- Counts emails that were accepted and delivered, by the provider of the mailbox, and asks for the MX records of
-- unknown domains. Messages of other channels pay for the first look, and for nothing else. Of a chain the steps count:
-- a transaction that changes its head says so in `postern.heads`, or erases a person.
CREATE OR REPLACE FUNCTION postern_count_providers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 16
  + CASE WHEN current_setting('application_name') = 'postern-worker' THEN 16 ELSE 0 END;
BEGIN
  IF current_setting('postern.heads', true) = 'on' OR current_setting('postern.erasure', true) = 'on' OR NOT EXISTS (
    SELECT FROM came WHERE channel = 'email' AND (sent_at IS NOT NULL OR delivered_at IS NOT NULL)
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    WITH moved AS (
      SELECT owner_id, domain, bucket, sum(accepted) AS accepted, sum(delivered) AS delivered
      FROM (SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
        date_bin('15 minutes', sent_at, timestamptz '2000-01-01 00:00Z') AS bucket, 1 AS accepted, 0 AS delivered
        FROM came WHERE channel = 'email' AND direction = 'outbound' AND sent_at IS NOT NULL
        UNION ALL SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
          date_bin('15 minutes', delivered_at, timestamptz '2000-01-01 00:00Z') AS bucket, 0 AS accepted,
          1 AS delivered FROM came WHERE channel = 'email' AND direction = 'outbound'
          AND (way_status IS NULL OR way_status = 'delivered') AND delivered_at IS NOT NULL) AS moves
          GROUP BY owner_id, domain, bucket HAVING sum(accepted) <> 0 OR sum(delivered) <> 0
    ), named AS (
      SELECT m.*, postern_known_provider(m.domain) AS provider, d.provider_class, d.looked_up_at
      FROM moved AS m LEFT JOIN mail_domains AS d ON d.domain = m.domain
    ), asked AS (
    INSERT INTO mail_domain_requests (domain)
    SELECT DISTINCT u.domain FROM named AS u WHERE u.provider IS NULL AND length(u.domain) BETWEEN 3 AND 253
      AND (u.looked_up_at IS NULL OR u.looked_up_at < now() - interval '7 days') ORDER BY u.domain LIMIT 100
)
    INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, accepted, delivered)
    SELECT owner_id, COALESCE(provider, provider_class, 'other'), bucket, mine, sum(accepted), sum(delivered)
    FROM named GROUP BY 1, 2, 3 HAVING sum(accepted) <> 0 OR sum(delivered) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET accepted = c.accepted + excluded.accepted,
      delivered = c.delivered + excluded.delivered;
  ELSE
    WITH moved AS (
      SELECT owner_id, domain, bucket, sum(accepted) AS accepted, sum(delivered) AS delivered
      FROM (SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
        date_bin('15 minutes', sent_at, timestamptz '2000-01-01 00:00Z') AS bucket, 1 AS accepted, 0 AS delivered
        FROM came WHERE channel = 'email' AND direction = 'outbound' AND sent_at IS NOT NULL
        UNION ALL SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
          date_bin('15 minutes', delivered_at, timestamptz '2000-01-01 00:00Z') AS bucket, 0 AS accepted,
          1 AS delivered FROM came WHERE channel = 'email' AND direction = 'outbound'
          AND (way_status IS NULL OR way_status = 'delivered') AND delivered_at IS NOT NULL
        UNION ALL SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
          date_bin('15 minutes', sent_at, timestamptz '2000-01-01 00:00Z') AS bucket, -1 AS accepted,
          -0 AS delivered FROM went WHERE channel = 'email' AND direction = 'outbound' AND sent_at IS NOT NULL
        UNION ALL SELECT owner_id, lower(split_part("to", '@', -1)) AS domain,
          date_bin('15 minutes', delivered_at, timestamptz '2000-01-01 00:00Z') AS bucket, -0 AS accepted,
          -1 AS delivered FROM went WHERE channel = 'email' AND direction = 'outbound'
          AND (way_status IS NULL OR way_status = 'delivered') AND delivered_at IS NOT NULL) AS moves
          GROUP BY owner_id, domain, bucket HAVING sum(accepted) <> 0 OR sum(delivered) <> 0
    ), named AS (
      SELECT m.*, postern_known_provider(m.domain) AS provider, d.provider_class, d.looked_up_at
      FROM moved AS m LEFT JOIN mail_domains AS d ON d.domain = m.domain
    ), asked AS (
    INSERT INTO mail_domain_requests (domain)
    SELECT DISTINCT u.domain FROM named AS u WHERE u.provider IS NULL AND length(u.domain) BETWEEN 3 AND 253
      AND (u.looked_up_at IS NULL OR u.looked_up_at < now() - interval '7 days') ORDER BY u.domain LIMIT 100
)
    INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, accepted, delivered)
    SELECT owner_id, COALESCE(provider, provider_class, 'other'), bucket, mine, sum(accepted), sum(delivered)
    FROM named GROUP BY 1, 2, 3 HAVING sum(accepted) <> 0 OR sum(delivered) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET accepted = c.accepted + excluded.accepted,
      delivered = c.delivered + excluded.delivered;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER providers_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_providers();
CREATE OR REPLACE TRIGGER providers_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_providers();
CREATE OR REPLACE TRIGGER providers_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_providers();
CREATE OR REPLACE TRIGGER providers_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_providers();
