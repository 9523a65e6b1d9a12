"""Counters of project messages, kept by a trigger."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(COUNT)
    op.execute(_TRIGGER.format(when="insert", what="INSERT", tables="NEW TABLE AS came"))
    op.execute(_TRIGGER.format(when="update", what="UPDATE", tables="OLD TABLE AS went NEW TABLE AS came"))


# Counters follow the messages, whoever moves them: a trigger a statement adds up what came and takes off what
# went. The rows of a statement are few groups (projects, reasons), and each session has a shard of its own. Old
# messages that retention deletes stay counted.
_STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
_EVENTS = ("sent", "delivered", "read", "replied")  # each has a column of its time
_TIMES = ", ".join(f"count({name}_at) AS at_{name}" for name in _EVENTS)
_SUMS = ", ".join(f"COALESCE(sum(n) FILTER (WHERE status = '{state}'), 0) AS {state}" for state in _STATES)
_HAPPENED = ", ".join(f"sum(at_{name}) AS at_{name}" for name in _EVENTS)


def _moves(tables: str) -> str:
    """Few rows: what came and what went, by project and state. (Plain counts: a statement may move thousands.)"""
    away = ", ".join(f"-at_{name}" for name in _EVENTS)
    parts = {
        "came": "SELECT * FROM came_ AS c",
        "went": f"SELECT project_id, owner_id, status, -n, {away} FROM went_",
    }
    named = ", ".join(
        f"{table}_ AS (SELECT project_id, owner_id, status, count(*) AS n, {_TIMES} FROM {table}"
        " WHERE direction = 'outbound' GROUP BY project_id, owner_id, status)"
        for table in tables.split()
    )
    return f"{named}, moves AS ({' UNION ALL '.join(parts[table] for table in tables.split())})"


def _count(tables: str) -> str:
    """What one kind of statement does to the counters."""
    added = ", ".join(f"{name} = c.{name} + EXCLUDED.{name}" for name in ("total", *_STATES, "replied"))
    events = ("queued", "sent", "delivered", "read", "failed", "replied")
    happened = ", ".join(f"{name} = b.{name} + EXCLUDED.{name}" for name in events)
    reasons = " UNION ALL ".join(
        f"SELECT project_id, owner_id, failure_code, {sign} AS d FROM {table}"
        " WHERE failure_code IS NOT NULL AND status IN ('failed', 'skipped') AND direction = 'outbound'"
        for table, sign in (("came", 1), ("went", -1))
        if table in tables
    )
    return f"""
    WITH {_moves(tables)}, sums AS (
      SELECT project_id, owner_id, sum(n) AS total, {_SUMS}, {_HAPPENED} FROM moves
      GROUP BY project_id, owner_id ORDER BY project_id
    ), counted AS (
      INSERT INTO sending_counters AS c (project_id, shard, owner_id, total, {", ".join(_STATES)}, replied)
      SELECT project_id, mine, owner_id, total, {", ".join(_STATES)}, at_replied FROM sums
      ON CONFLICT (project_id, shard) DO UPDATE SET {added}, updated_at = now()
    )
    INSERT INTO statistics_buckets AS b (project_id, bucket, shard, owner_id, {", ".join(events)})
    SELECT project_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), mine, owner_id,
      GREATEST(total, 0), GREATEST(at_sent, 0), GREATEST(at_delivered, 0), GREATEST(at_read, 0),
      GREATEST(failed, 0), GREATEST(at_replied, 0)
    FROM sums
    WHERE total > 0 OR at_sent > 0 OR at_delivered > 0 OR at_read > 0 OR failed > 0 OR at_replied > 0
    ON CONFLICT (project_id, bucket, shard) DO UPDATE SET {happened};
    IF {" OR ".join(f"EXISTS (SELECT FROM {table} WHERE failure_code IS NOT NULL)" for table in tables.split())} THEN
      INSERT INTO failure_counters AS f (project_id, code, shard, owner_id, count)
      SELECT project_id, failure_code, mine, owner_id, sum(d) FROM ({reasons}) AS moves
      GROUP BY project_id, failure_code, owner_id HAVING sum(d) <> 0 ORDER BY project_id, failure_code
      ON CONFLICT (project_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
    """


COUNT = f"""
CREATE FUNCTION postern_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 8;
BEGIN
  IF TG_OP = 'UPDATE' THEN
{_count("came went")}
  ELSE
{_count("came")}
  END IF;
  RETURN NULL;
END $$
""".replace(":", r"\:")

_TRIGGER = """
CREATE TRIGGER count_{when} AFTER {what} ON message_records
REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION postern_count()
"""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
