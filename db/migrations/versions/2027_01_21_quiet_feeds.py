"""The row that every message reads gets no new version a second, and a look for a job passes no former jobs.

PostgreSQL keeps all versions of a row, and all entries of an index, while somebody holds a snapshot. The row of an
event feed was updated for each batch of events and, while projects run, each second; it is read for each message. So
the last position is that of the last event now, and the time of progress has a table of its own. A message that wakes
its channel looks for a waiting job among those of the last minute, and while a snapshot is old there are fewer jobs.

Revision ID: 0087
Revises: 0086
"""

from db.migrations.indexes import drop
from db.migrations.locks import change_briefly

revision = "0087"
down_revision = "0086"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS event_feed_progress (
  owner_id uuid NOT NULL,
  progress_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_event_feed_progress PRIMARY KEY (owner_id),
  CONSTRAINT fk_event_feed_progress_owner_id FOREIGN KEY (owner_id) REFERENCES event_feeds (owner_id) ON DELETE CASCADE
)
""",
    "INSERT INTO event_feed_progress (owner_id) SELECT owner_id FROM event_feeds ON CONFLICT DO NOTHING",
    # The erasure of a person may delete the last event of a feed. Its position must never be given again. Other
    # deletions change nothing, so that they don't wait for the feed's lock.
    """
CREATE OR REPLACE FUNCTION postern_keep_last_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_feeds AS f SET last_position = last.position
  FROM (SELECT owner_id, max(position) AS position FROM deleted GROUP BY owner_id) AS last
  WHERE f.owner_id = last.owner_id AND f.last_position < last.position
    AND NOT EXISTS (SELECT FROM events AS e WHERE e.owner_id = last.owner_id AND e.position > last.position);
  RETURN NULL;
END $$
""",
    """
CREATE OR REPLACE TRIGGER events_deleted AFTER DELETE ON events REFERENCING OLD TABLE AS deleted
FOR EACH STATEMENT EXECUTE FUNCTION postern_keep_last_position()
""",
    # As revision 0072, but for the two lower bounds, and the longer pause while a snapshot is old (revision 0086).
    """
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
END $$
""",
)


def upgrade() -> None:
    # Planners prefer it to the index that has the name of a job, and then read the entries of all other jobs.
    drop("pgqueuer_priority_id_id1_idx")
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
