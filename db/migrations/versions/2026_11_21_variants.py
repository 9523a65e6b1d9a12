"""variant_counters: how many messages of a project's variant are in which state.

Writers wait while the rows are counted that are there; readers don't.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0015"

_STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
_COUNTS = ("total", *_STATES, "replied")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "variant_counters",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("variant", sa.SmallInteger(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), server_default="0", nullable=False) for name in _COUNTS),
        sa.PrimaryKeyConstraint("project_id", "variant", "shard", name="pk_variant_counters"),
        postgresql_with={"fillfactor": "50"},
    )
    op.execute(_COUNT)
    for when, tables in (("INSERT", "NEW TABLE AS came"), ("UPDATE", "OLD TABLE AS went NEW TABLE AS came")):
        op.execute(
            f"CREATE TRIGGER count_variants_{when.lower()} AFTER {when} ON message_records"
            f" REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION postern_count_variants()"
        )
    # The triggers' lock keeps writers out until the commit, so that nobody is counted twice or not at all.
    op.execute(_FILL)


def _sums(*tables: tuple[str, str]) -> str:
    """Totals by project and variant, of rows that count for one (+) and of those that count no more (-)."""
    moves = " UNION ALL ".join(
        f"SELECT project_id, variant, status, {sign}count(*) AS n, {sign}count(replied_at) AS replied FROM {table}"
        " WHERE variant IS NOT NULL AND direction = 'outbound' GROUP BY project_id, variant, status"
        for table, sign in tables
    )
    states = ", ".join(f"COALESCE(sum(n) FILTER (WHERE status = '{state}'), 0)" for state in _STATES)
    # Always in one order, so that two statements don't wait for each other crosswise.
    return f"""
    SELECT project_id, variant, {{shard}}, sum(n), {states}, sum(replied) FROM ({moves}) AS moves
    GROUP BY project_id, variant ORDER BY project_id, variant
    """


_INTO = f"INSERT INTO variant_counters AS c (project_id, variant, shard, {', '.join(_COUNTS)})"
_ADDED = ", ".join(f"{name} = c.{name} + EXCLUDED.{name}" for name in _COUNTS)


def _count(*tables: tuple[str, str]) -> str:
    any_row = " OR ".join(f"EXISTS (SELECT FROM {table} WHERE variant IS NOT NULL)" for table, _ in tables)
    return f"""
    IF {any_row} THEN
      {_INTO} {_sums(*tables).format(shard="mine")}
      ON CONFLICT (project_id, variant, shard) DO UPDATE SET {_ADDED};
    END IF;
    """


# As `postern_count` counts all messages of a project. Rows that retention deletes stay counted.
_COUNT = f"""
CREATE OR REPLACE FUNCTION postern_count_variants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mine CONSTANT smallint := pg_backend_pid() % 8;
BEGIN
  IF TG_OP = 'UPDATE' THEN
{_count(("came", "+"), ("went", "-"))}
  ELSE
{_count(("came", "+"))}
  END IF;
  RETURN NULL;
END $$
""".replace(":", r"\:")
_FILL = f"{_INTO} {_sums(('message_records', '+')).format(shard='0')}"


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
