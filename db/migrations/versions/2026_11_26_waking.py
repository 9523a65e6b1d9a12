"""Waking of workers: while a drain of a channel is at work, messages share a job that is due 20 ms later, and only new
jobs notify workers, with the name of the job.

PgQueuer notifies at each change of its table. A transaction that notifies waits for every other one that does, since it
holds a lock of the whole server until its commit is on disk, and each notification makes every queue of every worker
look for jobs. The start, the heartbeats and the end of a job concern nobody else.
"""

from alembic import op

revision = "0033"
down_revision = "0032"

# The shared lock is what a starting drain waits for: whoever found a job waiting has committed by then.
_WAKE = """
CREATE OR REPLACE FUNCTION postern_wake(job text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pause CONSTANT interval := '20 milliseconds';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('postern:' || job, 0));
  IF NOT EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'queued' AND execute_after <= now() + pause
  ) THEN
    WITH made AS (
      INSERT INTO pgqueuer (priority, entrypoint, status, execute_after)
      VALUES (0, job, 'queued', now() + CASE
        WHEN EXISTS (SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'picked') THEN pause ELSE interval '0' END)
      RETURNING id, priority, entrypoint, status
    )
    INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
    SELECT id, status, entrypoint, priority FROM made;
  END IF;
END $$
"""
_NOTIFY = """
CREATE FUNCTION postern_notify_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ch_pgqueuer', json_build_object('channel', 'ch_pgqueuer', 'operation', 'insert',
    'sent_at', now(), 'table', 'pgqueuer', 'type', 'table_changed_event', 'entrypoint', NEW.entrypoint)::text);
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_WAKE)
    op.execute(_NOTIFY)
    op.execute("DROP TRIGGER tg_pgqueuer_changed ON pgqueuer")
    op.execute(
        "CREATE TRIGGER tg_pgqueuer_changed AFTER INSERT ON pgqueuer"
        " FOR EACH ROW EXECUTE FUNCTION postern_notify_job()"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
