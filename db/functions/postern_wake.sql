-- Makes a job that is due at once if none waits, and a little later if one is at work. Messages that come meanwhile
-- share the job. The shared lock is what a starting drain waits for: a transaction that found a job waiting has
-- committed by then. While a snapshot is old there are fewer jobs (decision 0080).
CREATE OR REPLACE FUNCTION postern_wake(job text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pause CONSTANT interval := (
    SELECT CASE last_value WHEN 1 THEN interval '1 second' ELSE interval '250 milliseconds' END FROM old_snapshot
  );
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('postern:' || job, 0));
  IF NOT EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'queued'
      AND execute_after > now() - interval '1 minute' AND execute_after <= now() + pause
  ) THEN
    WITH made AS (
      INSERT INTO pgqueuer (priority, entrypoint, status, execute_after)
      VALUES (0, job, 'queued', now() + CASE
        WHEN EXISTS (
          SELECT FROM pgqueuer
          WHERE entrypoint = job AND status = 'picked' AND heartbeat > now() - interval '20 minutes'
        ) THEN pause
        ELSE interval '0' END)
      RETURNING id, priority, entrypoint, status
    )
    INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
    SELECT id, status, entrypoint, priority FROM made;
  END IF;
END $$;
