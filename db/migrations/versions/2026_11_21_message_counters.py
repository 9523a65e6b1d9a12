"""Counters of direct messages, kept by a trigger: totals of lists, and statistics."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0007"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "message_counters",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("stored", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("counted", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint(
            "owner_id", "account_id", "channel", "kind", "state", "shard", name="pk_message_counters"
        ),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "message_failures",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("owner_id", "code", "shard", name="pk_message_failures"),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "message_buckets",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("bucket", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        *(
            sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
            for name in ("queued", "sent", "delivered", "failed")
        ),
        sa.PrimaryKeyConstraint("owner_id", "bucket", "shard", name="pk_message_buckets"),
        postgresql_with={"fillfactor": "50"},
    )
    op.execute(COUNT)
    for when, tables in (
        ("INSERT", "NEW TABLE AS came"),
        ("UPDATE", "OLD TABLE AS went NEW TABLE AS came"),
        ("DELETE", "OLD TABLE AS went"),
    ):
        op.execute(_TRIGGER.format(name=when.lower(), when=when, tables=tables))
    # The triggers' lock keeps writers out until the commit, so that nobody is counted twice or not at all.
    op.execute(_FILL)


_KIND = "CASE WHEN direction = 'inbound' THEN 'inbound' ELSE 'direct' END"
_GROUP = "owner_id, account_id, channel, kind, state"


def _sums(table: str) -> str:
    return f"""
    {table}_ AS (
      SELECT owner_id, account_id, channel, {_KIND} AS kind, state, count(*) AS n, count(sent_at) AS at_sent,
        count(delivered_at) AS at_delivered
      FROM {table} GROUP BY 1, 2, 3, 4, 5
    )"""


def _count(tables: str) -> str:
    """What one kind of statement does to the counters. Rows that are deleted stay counted in the statistics."""
    gone = tables == "went"
    parts = {
        "came": f"SELECT {_GROUP}, n, n AS counted, at_sent, at_delivered FROM came_",
        "went": f"SELECT {_GROUP}, -n, {'0' if gone else '-n'}, -at_sent, -at_delivered FROM went_",
    }
    moves = " UNION ALL ".join(parts[table] for table in tables.split())
    # Always in one order, so that two statements don't wait for each other crosswise.
    counted = f"""
    INSERT INTO message_counters AS c ({_GROUP}, shard, stored, counted)
    SELECT {_GROUP}, mine, sum(n), sum(counted) FROM moves
    GROUP BY {_GROUP} HAVING sum(n) <> 0 OR sum(counted) <> 0 ORDER BY {_GROUP}
    ON CONFLICT ({_GROUP}, shard) DO UPDATE
    SET stored = c.stored + EXCLUDED.stored, counted = c.counted + EXCLUDED.counted
    """
    head = f"WITH {', '.join(_sums(table) for table in tables.split())}, moves ({_GROUP}, n, counted, at_sent, at_delivered) AS ({moves})"
    if gone:
        return f"{head} {counted};"
    reasons = " UNION ALL ".join(
        f"SELECT owner_id, failure_code, {sign} AS d FROM {table}"
        " WHERE state = 'failed' AND failure_code IS NOT NULL AND direction = 'outbound'"
        for table, sign in (("came", 1), ("went", -1))
        if table in tables
    )
    return f"""
    {head}, happened AS (
      SELECT owner_id, sum(counted) AS queued, sum(at_sent) AS sent, sum(at_delivered) AS delivered,
        sum(counted) FILTER (WHERE state = 'failed') AS failed
      FROM moves WHERE kind = 'direct' GROUP BY owner_id ORDER BY owner_id
    ), counting AS ({counted})
    INSERT INTO message_buckets AS b (owner_id, bucket, shard, queued, sent, delivered, failed)
    SELECT owner_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), mine,
      GREATEST(queued, 0), GREATEST(sent, 0), GREATEST(delivered, 0), GREATEST(failed, 0)
    FROM happened WHERE queued > 0 OR sent > 0 OR delivered > 0 OR failed > 0
    ON CONFLICT (owner_id, bucket, shard) DO UPDATE
    SET queued = b.queued + EXCLUDED.queued, sent = b.sent + EXCLUDED.sent,
      delivered = b.delivered + EXCLUDED.delivered, failed = b.failed + EXCLUDED.failed;
    IF {" OR ".join(f"EXISTS (SELECT FROM {table} WHERE failure_code IS NOT NULL)" for table in tables.split())} THEN
      INSERT INTO message_failures AS f (owner_id, code, shard, count)
      SELECT owner_id, failure_code, mine, sum(d) FROM ({reasons}) AS moves
      GROUP BY owner_id, failure_code HAVING sum(d) <> 0 ORDER BY owner_id, failure_code
      ON CONFLICT (owner_id, code, shard) DO UPDATE SET count = f.count + EXCLUDED.count;
    END IF;
    """


# Each session has a shard of its own, as far as that goes, and workers others than the API: who pays for a message
# and counts it, and who counts a failure and refunds it, take the same locks in opposite orders.
COUNT = f"""
CREATE FUNCTION postern_count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 16
  + CASE WHEN current_setting('application_name') = 'postern-worker' THEN 16 ELSE 0 END;
BEGIN
  IF TG_OP = 'INSERT' THEN
{_count("came")}
  ELSIF TG_OP = 'UPDATE' THEN
{_count("came went")}
  ELSE
{_count("went")}
  END IF;
  RETURN NULL;
END $$
""".replace(":", r"\:")

_TRIGGER = """
CREATE TRIGGER count_{name} AFTER {when} ON messages
REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION postern_count_messages()
"""

_FILL = f"""
WITH counted AS (
  INSERT INTO message_counters ({_GROUP}, shard, stored, counted)
  SELECT owner_id, account_id, channel, {_KIND}, state, 0, count(*), count(*) FROM messages GROUP BY 1, 2, 3, 4, 5
), reasons AS (
  INSERT INTO message_failures (owner_id, code, shard, count)
  SELECT owner_id, failure_code, 0, count(*) FROM messages
  WHERE state = 'failed' AND failure_code IS NOT NULL AND direction = 'outbound' GROUP BY 1, 2
)
INSERT INTO message_buckets AS b (owner_id, bucket, shard, queued, sent, delivered, failed)
SELECT owner_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z'), 0,
  count(*) FILTER (WHERE what = 'queued'), count(*) FILTER (WHERE what = 'sent'),
  count(*) FILTER (WHERE what = 'delivered'), count(*) FILTER (WHERE what = 'failed')
FROM (
  SELECT owner_id, 'queued' AS what, created_at AS at FROM messages WHERE direction = 'outbound'
  UNION ALL SELECT owner_id, 'sent', sent_at FROM messages WHERE direction = 'outbound' AND sent_at IS NOT NULL
  UNION ALL SELECT owner_id, 'delivered', delivered_at FROM messages
    WHERE direction = 'outbound' AND delivered_at IS NOT NULL
  UNION ALL SELECT owner_id, 'failed', updated_at FROM messages WHERE direction = 'outbound' AND state = 'failed'
) AS happened GROUP BY 1, 2
""".replace(":", r"\:")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
