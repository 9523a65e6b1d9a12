"""Messages that come while a drain of their channel is at work share a job for a quarter of a second.

A drain looks for new messages by itself as long as they come (engine/direct/dispatch.py). The job is for a worker that
died, and for a drain that waits for a slow provider. It was made up to fifty times a second, and each left dead entries
in seven indexes, which all looks for jobs pass while somebody holds a snapshot.

Revision ID: 0072
Revises: 0071
"""

from alembic import op

revision = "0072"
down_revision = "0071"
branch_labels = None
depends_on = None

# As revision 0033, with a longer pause.
_WAKE = """
CREATE OR REPLACE FUNCTION postern_wake(job text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pause CONSTANT interval := '250 milliseconds';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('postern:' || job, 0));
  IF NOT EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'queued' AND execute_after <= now() + pause
  ) THEN
    WITH made AS (
      INSERT INTO pgqueuer (priority, entrypoint, status, execute_after)
      VALUES (0, job, 'queued', now() + CASE
        WHEN EXISTS (SELECT FROM pgqueuer WHERE entrypoint = job AND status = 'picked') THEN pause
        ELSE interval '0' END)
      RETURNING id, priority, entrypoint, status
    )
    INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
    SELECT id, status, entrypoint, priority FROM made;
  END IF;
END $$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_WAKE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
