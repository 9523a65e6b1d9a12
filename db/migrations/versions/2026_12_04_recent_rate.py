"""Counts what a project has settled in the last minute, and since when it runs: its forecast does without its pauses."""

from alembic import op

from db.migrations.functions import change

revision = "0041"
down_revision = "0040"

_COLUMNS = "total, queued, sending, sent, delivered, read, failed, skipped, unknown, canceled"
_COUNT = (
    (f"owner_id, {_COLUMNS}, replied)", f"owner_id, {_COLUMNS}, replied, minute_at, minute_settled)"),
    (
        f"owner_id, {_COLUMNS}, at_replied FROM sums",
        (
            f"owner_id, {_COLUMNS}, at_replied, date_trunc('minute', clock_timestamp()),"
            " GREATEST(at_sent, 0) + GREATEST(failed, 0) FROM sums"
        ),
    ),
    (
        "updated_at = now()",
        (
            "updated_at = now(), minute_at = EXCLUDED.minute_at, minute_settled = EXCLUDED.minute_settled"
            " + CASE WHEN c.minute_at = EXCLUDED.minute_at THEN c.minute_settled ELSE 0 END,"
            " last_minute_settled = CASE WHEN c.minute_at = EXCLUDED.minute_at THEN c.last_minute_settled"
            " WHEN c.minute_at = EXCLUDED.minute_at - interval '1 minute' THEN c.minute_settled ELSE 0 END"
        ),
    ),
)
_RUNS = """
CREATE OR REPLACE FUNCTION postern_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.running_since = now();
  NEW.settled_before = COALESCE((
    SELECT sum(sent + failed) FROM statistics_buckets
    WHERE project_id = NEW.id AND bucket = date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z')), 0);
  RETURN NEW;
END $$
""".replace(":", r"\:")
_TRIGGERS = (
    (
        "CREATE OR REPLACE TRIGGER runs_again BEFORE UPDATE OF status ON sending_projects FOR EACH ROW"
        " WHEN (NEW.status = 'running' AND OLD.status <> 'running') EXECUTE FUNCTION postern_runs()"
    ),
    (
        "CREATE OR REPLACE TRIGGER runs BEFORE INSERT ON sending_projects FOR EACH ROW"
        " WHEN (NEW.status = 'running') EXECUTE FUNCTION postern_runs()"
    ),
)


def upgrade() -> None:
    with (
        op.get_context().autocommit_block()
    ):  # no transaction locks both tables: others lock them in another order
        op.execute("SET lock_timeout = '10s'")
        op.execute(
            "ALTER TABLE sending_counters ADD COLUMN IF NOT EXISTS minute_at timestamptz,"
            " ADD COLUMN IF NOT EXISTS minute_settled bigint DEFAULT 0 NOT NULL,"
            " ADD COLUMN IF NOT EXISTS last_minute_settled bigint DEFAULT 0 NOT NULL"
        )
        op.execute(
            "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS running_since timestamptz,"
            " ADD COLUMN IF NOT EXISTS settled_before bigint DEFAULT 0 NOT NULL"
        )
    change("postern_count", _COUNT)
    op.execute(_RUNS)
    for trigger in _TRIGGERS:
        op.execute(trigger)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
