"""Counts the emails of projects that came back or were reported as spam: by project, variant, provider and time; and
keeps which mailbox providers have degraded.

The trigger on reports counts them, in the transaction that stores the report, so messages that are sent pay nothing.
Reports that are stored at this point are counted by this migration. It locks out new ones meanwhile, so that each is
counted once. The trigger has shards of its own, as it has for the counters by provider.

Revision ID: 0069
Revises: 0068
"""

from alembic import op

from db.migrations.functions import change
from db.migrations.indexes import build

revision = "0069"
down_revision = "0068"
branch_labels = None
depends_on = None

_COLUMNS = ("sending_counters", "variant_counters", "statistics_buckets", "message_buckets")
_QUARTER = "date_bin('15 minutes', {}, timestamptz '2000-01-01 00:00Z')"
_CLASSES = {
    "deferred": "type = 'delay'",
    "hard": "type = 'bounce' AND class = 'hard'",
    "mailbox_full": "type = 'bounce' AND class = 'full'",
    "content": "type = 'bounce' AND class = 'content'",
    "policy": "type = 'bounce' AND class = 'policy'",
    "soft": "type = 'bounce' AND (class IS NULL OR class IN ('transient', 'unknown'))",
    "complaints": "type = 'complaint'",
    "rescued": "type = 'rescue'",
}
_TOTAL = "type IN ('bounce', 'complaint')"
_TOTALS = {"bounced": "type = 'bounce'", "complained": "type = 'complaint'"}
_TABLE = f"""
CREATE TABLE IF NOT EXISTS project_mail_counters (
  project_id uuid NOT NULL,
  provider_class text NOT NULL,
  shard smallint NOT NULL,
  owner_id uuid NOT NULL,
  {" ".join(f"{name} bigint DEFAULT 0 NOT NULL," for name in _CLASSES)}
  CONSTRAINT pk_project_mail_counters PRIMARY KEY (project_id, provider_class, shard)
) WITH (fillfactor = 50)
"""
# The providers that have degraded and have not recovered; see engine/mail_reports/degraded.py.
_DEGRADED = """
CREATE TABLE IF NOT EXISTS degraded_providers (
  id uuid NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  owner_id uuid NOT NULL,
  provider_class text NOT NULL,
  accepted bigint NOT NULL,
  policy bigint NOT NULL,
  complaints bigint NOT NULL,
  CONSTRAINT pk_degraded_providers PRIMARY KEY (id),
  CONSTRAINT uq_degraded_providers_provider_class UNIQUE (owner_id, provider_class)
)
"""

# The first report of each type about an email. One whose time is set was reported about before, even if that report has
# been deleted since; the times are set after this, in the same transaction.
_FIRST = f"""
    SELECT DISTINCT ON (r.message_id, r.type) r.owner_id, p.project_id, p.variant, r.type, r.class,
      {_QUARTER.format("r.created_at")} AS bucket,
      lower(split_part(COALESCE(m."to", p."to", r.address), '@', -1)) AS domain
    FROM {{reports}} AS r LEFT JOIN messages AS m ON r.kind = 'direct' AND m.id = r.message_id
      LEFT JOIN message_records AS p ON r.kind = 'project' AND p.id = r.message_id
    WHERE {{new}} ORDER BY r.message_id, r.type, r.id
"""
_NEW = """CASE r.type WHEN 'bounce' THEN COALESCE(m.bounced_at, p.bounced_at) IS NULL
      WHEN 'complaint' THEN COALESCE(m.complained_at, p.complained_at) IS NULL
      ELSE NOT EXISTS (
        SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came)
      ) END"""


def _counts(columns: dict[str, str]) -> str:
    return ", ".join(f"count(*) FILTER (WHERE {which})" for which in columns.values())


def _added(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} = c.{name} + excluded.{name}" for name in columns)


def _of_projects(shard: str) -> str:
    """Returns the expressions of a WITH clause that count the rows of `named` for their projects, each in one order, so
    that two statements don't wait for each other crosswise.
    """
    return f"""
    by_class AS (
      INSERT INTO project_mail_counters AS c (project_id, provider_class, shard, owner_id, {", ".join(_CLASSES)})
      SELECT project_id, provider, {shard}, owner_id, {_counts(_CLASSES)} FROM named WHERE project_id IS NOT NULL
      GROUP BY project_id, provider, owner_id ORDER BY project_id, provider
      ON CONFLICT (project_id, provider_class, shard) DO UPDATE SET {_added(_CLASSES)}
    ), by_project AS (
      INSERT INTO sending_counters AS c (project_id, shard, owner_id, {", ".join(_TOTALS)})
      SELECT project_id, {shard}, owner_id, {_counts(_TOTALS)} FROM named
      WHERE project_id IS NOT NULL AND {_TOTAL} GROUP BY project_id, owner_id ORDER BY project_id
      ON CONFLICT (project_id, shard) DO UPDATE SET {_added(_TOTALS)}
    ), by_variant AS (
      INSERT INTO variant_counters AS c (project_id, variant, shard, {", ".join(_TOTALS)})
      SELECT project_id, variant, {shard}, {_counts(_TOTALS)} FROM named
      WHERE variant IS NOT NULL AND {_TOTAL} GROUP BY project_id, variant ORDER BY project_id, variant
      ON CONFLICT (project_id, variant, shard) DO UPDATE SET {_added(_TOTALS)}
    ), of_project_by_time AS (
      INSERT INTO statistics_buckets AS c (project_id, bucket, shard, owner_id, {", ".join(_TOTALS)})
      SELECT project_id, bucket, {shard}, owner_id, {_counts(_TOTALS)} FROM named
      WHERE project_id IS NOT NULL AND {_TOTAL} GROUP BY project_id, bucket, owner_id ORDER BY project_id, bucket
      ON CONFLICT (project_id, bucket, shard) DO UPDATE SET {_added(_TOTALS)}
    )"""


def _direct_by_time(shard: str) -> str:
    """Returns the expression of a WITH clause that counts the rows of `named` that are of direct messages."""
    return f"""
    of_direct_by_time AS (
      INSERT INTO message_buckets AS c (owner_id, bucket, channel, shard, {", ".join(_TOTALS)})
      SELECT owner_id, bucket, 'email', {shard}, {_counts(_TOTALS)} FROM named
      WHERE project_id IS NULL AND {_TOTAL} GROUP BY owner_id, bucket ORDER BY owner_id, bucket
      ON CONFLICT (owner_id, bucket, channel, shard) DO UPDATE SET {_added(_TOTALS)}
    )"""


_NAMED = """
    named AS (
      SELECT f.*, COALESCE(postern_known_provider(f.domain), d.provider_class, 'other') AS provider
      FROM first AS f LEFT JOIN mail_domains AS d ON d.domain = f.domain
    )"""
_BY_PROVIDER = f"""INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, {", ".join(_CLASSES)})
    SELECT owner_id, provider, bucket, 32 + pg_backend_pid() % 16, {_counts(_CLASSES)} FROM named
    GROUP BY owner_id, provider, bucket ORDER BY owner_id, provider, bucket
    ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET {_added(_CLASSES)};"""
_FUNCTION = f"""
CREATE OR REPLACE FUNCTION postern_count_reports() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := 8 + pg_backend_pid() % 8;
BEGIN
  -- A statement without reports about projects is shorter: most of what it costs is its plan, not its rows.
  IF EXISTS (SELECT FROM came WHERE kind = 'project') THEN
    WITH first AS ({_FIRST.format(reports="came", new=_NEW)}
    ), {_NAMED}, {_of_projects("mine")}, {_direct_by_time("mine")}
    {_BY_PROVIDER}
  ELSE
    WITH first AS ({_FIRST.format(reports="came", new=_NEW)}
    ), {_NAMED}, {_direct_by_time("mine")}
    {_BY_PROVIDER}
  END IF;
  RETURN NULL;
END $$
"""
# The counters by provider have had these reports since they came.
_FILL = f"""
WITH first AS ({_FIRST.format(reports="mail_reports", new="m.id IS NOT NULL OR p.id IS NOT NULL")}
), {_NAMED}, {_of_projects("8")}, {_direct_by_time("8")}
SELECT
"""
_PROJECT_DATA = (
    (
        "'replied', COALESCE(sum(replied), 0)",
        (
            "'replied', COALESCE(sum(replied), 0), 'bounced', COALESCE(sum(bounced), 0),"
            " 'complained', COALESCE(sum(complained), 0)"
        ),
    ),
)


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # One transaction a table: processes lock tables in orders of their own.
        op.execute("SET lock_timeout = '10s'")
        for table in _COLUMNS:
            op.execute(
                f"ALTER TABLE {table} "
                + ", ".join(f"ADD COLUMN IF NOT EXISTS {name} bigint DEFAULT 0 NOT NULL" for name in _TOTALS)
            )
        op.execute(
            "ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS retry_suppressed integer DEFAULT 0 NOT NULL"
        )
        op.execute("RESET lock_timeout")
    build("ix_domain_counters_reports", "domain_counters (bucket) WHERE shard >= 32")
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_TABLE)
    op.execute(_DEGRADED)
    change("postern_project_data", _PROJECT_DATA)
    # Whoever stores a report now waits, and counts by the new function.
    op.execute("LOCK TABLE mail_reports IN SHARE ROW EXCLUSIVE MODE")
    op.get_bind().exec_driver_sql(_FUNCTION)
    op.get_bind().exec_driver_sql(_FILL)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
