"""Statistics by channel, and how many messages became unknown in each quarter of an hour.

The counters of direct messages get the channel into their key. What was counted before has the channel of its owner if that
is the only one that the owner has used, and otherwise '', which counts for all channels together. The functions that count
are changed as they are.
"""

from alembic import op

from db.migrations.functions import change

revision = "0027"
down_revision = "0026"

_DIRECT = (
    (
        "SELECT owner_id, sum(counted) AS queued, sum(at_sent) AS sent,",
        "SELECT owner_id, channel, sum(counted) AS queued, sum(at_sent) AS sent,",
    ),
    (
        "sum(counted) FILTER (WHERE state = 'failed') AS failed",
        (
            "sum(counted) FILTER (WHERE state = 'failed') AS failed,"
            " sum(counted) FILTER (WHERE state = 'unknown') AS unknown"
        ),
    ),
    (
        "WHERE kind = 'direct' GROUP BY owner_id ORDER BY owner_id",
        "WHERE kind = 'direct' GROUP BY owner_id, channel ORDER BY owner_id, channel",
    ),
    (
        "INSERT INTO message_buckets AS b (owner_id, bucket, shard, queued, sent, delivered, failed)",
        "INSERT INTO message_buckets AS b (owner_id, bucket, channel, shard, queued, sent, delivered, failed, unknown)",
    ),
    (
        "SELECT owner_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), mine,",
        "SELECT owner_id, date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z'), channel, mine,",
    ),
    ("GREATEST(failed, 0)", "GREATEST(failed, 0), GREATEST(unknown, 0)"),
    ("OR failed > 0", "OR failed > 0 OR unknown > 0"),
    ("ON CONFLICT (owner_id, bucket, shard)", "ON CONFLICT (owner_id, bucket, channel, shard)"),
    (
        "failed = b.failed + EXCLUDED.failed",
        "failed = b.failed + EXCLUDED.failed, unknown = b.unknown + EXCLUDED.unknown",
    ),
)
_PROJECTS = (
    (
        "INSERT INTO statistics_buckets AS b (project_id, bucket, shard, owner_id, ",
        "INSERT INTO statistics_buckets AS b (project_id, bucket, shard, owner_id, unknown, ",
    ),
    (
        "timestamptz '2000-01-01 00:00Z'), mine, owner_id,",
        "timestamptz '2000-01-01 00:00Z'), mine, owner_id, GREATEST(unknown, 0),",
    ),
    ("OR failed > 0", "OR failed > 0 OR unknown > 0"),
    (
        "queued = b.queued + EXCLUDED.queued",
        "unknown = b.unknown + EXCLUDED.unknown, queued = b.queued + EXCLUDED.queued",
    ),
)

# The owners whose direct messages have all been of one channel.
_CHANNEL = """
UPDATE message_buckets AS b SET channel = o.channel FROM (
  SELECT owner_id, min(channel) AS channel FROM message_counters
  WHERE kind = 'direct' GROUP BY owner_id HAVING count(DISTINCT channel) = 1
) AS o WHERE o.owner_id = b.owner_id
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute("ALTER TABLE statistics_buckets ADD COLUMN unknown bigint DEFAULT 0 NOT NULL")
    op.execute(
        "ALTER TABLE message_buckets ADD COLUMN unknown bigint DEFAULT 0 NOT NULL,"
        " ADD COLUMN channel text DEFAULT '' NOT NULL"
    )
    op.execute(_CHANNEL)
    op.execute(
        "ALTER TABLE message_buckets DROP CONSTRAINT pk_message_buckets,"
        " ADD CONSTRAINT pk_message_buckets PRIMARY KEY (owner_id, bucket, channel, shard),"
        " ALTER COLUMN channel DROP DEFAULT"
    )
    change("postern_count_messages", _DIRECT)
    change("postern_count", _PROJECTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
