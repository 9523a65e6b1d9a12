-- Counts the first report of each type about an email, by provider, project, variant and time, in the transaction
-- that stores the report. The time of the message is set after this: one whose time is set was reported about
-- before, even if that report has been deleted since.
CREATE OR REPLACE FUNCTION postern_count_reports() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := 8 + pg_backend_pid() % 8;
BEGIN
  -- A statement without reports about projects is shorter: most of what it costs is its plan, not its rows.
  IF EXISTS (SELECT FROM came WHERE kind = 'project') THEN
    WITH first AS (
    SELECT DISTINCT ON (r.message_id, r.type) r.owner_id, p.project_id, p.variant, r.type, r.class,
      date_bin('15 minutes', r.created_at, timestamptz '2000-01-01 00:00Z') AS bucket,
      lower(split_part(COALESCE(m."to", p."to", r.address), '@', -1)) AS domain
    FROM came AS r LEFT JOIN messages AS m ON r.kind = 'direct' AND m.id = r.message_id
      LEFT JOIN message_records AS p ON r.kind = 'project' AND p.id = r.message_id
    WHERE r.source <> 'engine' AND (CASE r.type
        WHEN 'bounce' THEN COALESCE(m.bounced_at, p.bounced_at) IS NULL
        WHEN 'complaint' THEN COALESCE(m.complained_at, p.complained_at) IS NULL ELSE false END
      OR NOT EXISTS (
        SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came) AND o.source <> 'engine'
      ) AND (r.type NOT IN ('bounce', 'complaint') OR EXISTS (
        SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came)
      ))) ORDER BY r.message_id, r.type, r.id
    ),
    named AS (
      SELECT f.*, COALESCE(postern_known_provider(f.domain), d.provider_class, 'other') AS provider
      FROM first AS f LEFT JOIN mail_domains AS d ON d.domain = f.domain
    ),
    by_class AS (
      INSERT INTO project_mail_counters AS c (project_id, provider_class, shard, owner_id, deferred, hard,
        mailbox_full, content, policy, soft, complaints, rescued)
      SELECT project_id, provider, mine, owner_id, count(*) FILTER (WHERE type = 'delay'),
        count(*) FILTER (WHERE type = 'bounce' AND class = 'hard'),
        count(*) FILTER (WHERE type = 'bounce' AND class = 'full'),
        count(*) FILTER (WHERE type = 'bounce' AND class = 'content'),
        count(*) FILTER (WHERE type = 'bounce' AND class = 'policy'),
        count(*) FILTER (WHERE type = 'bounce' AND (class IS NULL OR class IN ('transient', 'unknown'))),
        count(*) FILTER (WHERE type = 'complaint'), count(*) FILTER (WHERE type = 'rescue') FROM named
        WHERE project_id IS NOT NULL
      GROUP BY project_id, provider, owner_id ORDER BY project_id, provider
      ON CONFLICT (project_id, provider_class, shard) DO UPDATE SET
        deferred = c.deferred + excluded.deferred, hard = c.hard + excluded.hard,
          mailbox_full = c.mailbox_full + excluded.mailbox_full, content = c.content + excluded.content,
          policy = c.policy + excluded.policy, soft = c.soft + excluded.soft,
          complaints = c.complaints + excluded.complaints, rescued = c.rescued + excluded.rescued
    ), by_project AS (
      INSERT INTO sending_counters AS c (project_id, shard, owner_id, bounced, complained)
      SELECT project_id, mine, owner_id, count(*) FILTER (WHERE type = 'bounce'),
        count(*) FILTER (WHERE type = 'complaint') FROM named
      WHERE project_id IS NOT NULL AND type IN ('bounce', 'complaint') GROUP BY project_id, owner_id
        ORDER BY project_id
      ON CONFLICT (project_id, shard) DO UPDATE SET
        bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained
    ), by_variant AS (
      INSERT INTO variant_counters AS c (project_id, variant, shard, bounced, complained)
      SELECT project_id, variant, mine, count(*) FILTER (WHERE type = 'bounce'),
        count(*) FILTER (WHERE type = 'complaint') FROM named
      WHERE variant IS NOT NULL AND type IN ('bounce', 'complaint') GROUP BY project_id, variant
        ORDER BY project_id, variant
      ON CONFLICT (project_id, variant, shard) DO UPDATE SET
        bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained
    ), of_project_by_time AS (
      INSERT INTO statistics_buckets AS c (project_id, bucket, shard, owner_id, bounced, complained)
      SELECT project_id, bucket, mine, owner_id, count(*) FILTER (WHERE type = 'bounce'),
        count(*) FILTER (WHERE type = 'complaint') FROM named
      WHERE project_id IS NOT NULL AND type IN ('bounce', 'complaint') GROUP BY project_id, bucket, owner_id
        ORDER BY project_id, bucket
      ON CONFLICT (project_id, bucket, shard) DO UPDATE SET
        bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained
    ),
    of_direct_by_time AS (
      INSERT INTO message_buckets AS c (owner_id, bucket, channel, shard, bounced, complained)
      SELECT owner_id, bucket, 'email', mine, count(*) FILTER (WHERE type = 'bounce'),
        count(*) FILTER (WHERE type = 'complaint') FROM named
      WHERE project_id IS NULL AND type IN ('bounce', 'complaint') GROUP BY owner_id, bucket
        ORDER BY owner_id, bucket
      ON CONFLICT (owner_id, bucket, channel, shard) DO UPDATE SET
        bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained
    )
    INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, deferred, hard, mailbox_full,
      content, policy, soft, complaints, rescued)
    SELECT owner_id, provider, bucket, 32 + pg_backend_pid() % 16, count(*) FILTER (WHERE type = 'delay'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'hard'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'full'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'content'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'policy'),
      count(*) FILTER (WHERE type = 'bounce' AND (class IS NULL OR class IN ('transient', 'unknown'))),
      count(*) FILTER (WHERE type = 'complaint'), count(*) FILTER (WHERE type = 'rescue') FROM named
    GROUP BY owner_id, provider, bucket ORDER BY owner_id, provider, bucket
    ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET
      deferred = c.deferred + excluded.deferred, hard = c.hard + excluded.hard,
        mailbox_full = c.mailbox_full + excluded.mailbox_full, content = c.content + excluded.content,
        policy = c.policy + excluded.policy, soft = c.soft + excluded.soft,
        complaints = c.complaints + excluded.complaints, rescued = c.rescued + excluded.rescued;
  ELSE
    WITH first AS (
    SELECT DISTINCT ON (r.message_id, r.type) r.owner_id, p.project_id, p.variant, r.type, r.class,
      date_bin('15 minutes', r.created_at, timestamptz '2000-01-01 00:00Z') AS bucket,
      lower(split_part(COALESCE(m."to", p."to", r.address), '@', -1)) AS domain
    FROM came AS r LEFT JOIN messages AS m ON r.kind = 'direct' AND m.id = r.message_id
      LEFT JOIN message_records AS p ON r.kind = 'project' AND p.id = r.message_id
    WHERE r.source <> 'engine' AND (CASE r.type
        WHEN 'bounce' THEN COALESCE(m.bounced_at, p.bounced_at) IS NULL
        WHEN 'complaint' THEN COALESCE(m.complained_at, p.complained_at) IS NULL ELSE false END
      OR NOT EXISTS (
        SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came) AND o.source <> 'engine'
      ) AND (r.type NOT IN ('bounce', 'complaint') OR EXISTS (
        SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came)
      ))) ORDER BY r.message_id, r.type, r.id
    ),
    named AS (
      SELECT f.*, COALESCE(postern_known_provider(f.domain), d.provider_class, 'other') AS provider
      FROM first AS f LEFT JOIN mail_domains AS d ON d.domain = f.domain
    ),
    of_direct_by_time AS (
      INSERT INTO message_buckets AS c (owner_id, bucket, channel, shard, bounced, complained)
      SELECT owner_id, bucket, 'email', mine, count(*) FILTER (WHERE type = 'bounce'),
        count(*) FILTER (WHERE type = 'complaint') FROM named
      WHERE project_id IS NULL AND type IN ('bounce', 'complaint') GROUP BY owner_id, bucket
        ORDER BY owner_id, bucket
      ON CONFLICT (owner_id, bucket, channel, shard) DO UPDATE SET
        bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained
    )
    INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, deferred, hard, mailbox_full,
      content, policy, soft, complaints, rescued)
    SELECT owner_id, provider, bucket, 32 + pg_backend_pid() % 16, count(*) FILTER (WHERE type = 'delay'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'hard'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'full'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'content'),
      count(*) FILTER (WHERE type = 'bounce' AND class = 'policy'),
      count(*) FILTER (WHERE type = 'bounce' AND (class IS NULL OR class IN ('transient', 'unknown'))),
      count(*) FILTER (WHERE type = 'complaint'), count(*) FILTER (WHERE type = 'rescue') FROM named
    GROUP BY owner_id, provider, bucket ORDER BY owner_id, provider, bucket
    ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET
      deferred = c.deferred + excluded.deferred, hard = c.hard + excluded.hard,
        mailbox_full = c.mailbox_full + excluded.mailbox_full, content = c.content + excluded.content,
        policy = c.policy + excluded.policy, soft = c.soft + excluded.soft,
        complaints = c.complaints + excluded.complaints, rescued = c.rescued + excluded.rescued;
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER providers_insert AFTER INSERT ON mail_reports
  REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_count_reports();
