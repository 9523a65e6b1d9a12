"""Counts messages by the quarter of an hour in which they were created, and by their present state.

The lists of messages are filtered by these two, so a number of the overview is that of the list it leads to. Each
table gets its triggers in a transaction of its own. A table with few rows is counted in it, too. One with many would
be locked for too long: of these only messages are counted that are created after the migration, and `outcome_starts`
says so.
"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"

_STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
_FEW = 200_000  # rows, which are counted in less than a second
_QUARTER = "date_bin('15 minutes', {}, timestamptz '2000-01-01 00:00Z')"
# Messages by telegram and whatsapp in `messages` are tests, which no list of messages has.
_TABLES = {
    "messages": (
        "direct",
        "state",
        "created_at",
        "direction = 'outbound' AND channel IN ('sms', 'email', 'push')",
    ),
    "message_records": ("project", "status", "queued_at", "direction = 'outbound'"),
}
_SUMS = ", ".join(f"COALESCE(sum(n) FILTER (WHERE state = '{state}'), 0) AS {state}" for state in _STATES)
_ADDED = ", ".join(f"{state} = o.{state} + EXCLUDED.{state}" for state in _STATES)
_ANY = " OR ".join(f"COALESCE(sum(n) FILTER (WHERE state = '{state}'), 0) <> 0" for state in _STATES)
_KEY = "owner_id, bucket, kind, channel, shard"


def _grouped(table: str, rows: str, sign: str, since: str) -> str:
    _, state, time, which = _TABLES[table]
    return (
        f"SELECT owner_id, {_QUARTER.format(time)} AS bucket, channel, {state} AS state, {sign}count(*) AS n"
        f" FROM {rows} WHERE {which} AND {time} >= {since} GROUP BY 1, 2, 3, 4"
    )


def _count(table: str, moves: str, shard: str) -> str:
    """Returns the statement that adds what `moves` selects; always in one order, so that two don't wait crosswise."""
    return f"""
    INSERT INTO outcome_counters AS o ({_KEY}, {", ".join(_STATES)})
    SELECT owner_id, bucket, '{_TABLES[table][0]}', channel, {shard}, {_SUMS} FROM ({moves}) AS moves
    GROUP BY owner_id, bucket, channel HAVING {_ANY} ORDER BY owner_id, bucket, channel
    ON CONFLICT ({_KEY}) DO UPDATE SET {_ADDED};
    """


def _function(table: str) -> str:
    came, went = (
        _grouped(table, rows, sign, "TG_ARGV[0]::timestamptz") for rows, sign in (("came", ""), ("went", "-"))
    )
    return f"""
    CREATE OR REPLACE FUNCTION postern_outcomes_{table}() RETURNS trigger LANGUAGE plpgsql AS $f$
    DECLARE mine CONSTANT smallint := pg_backend_pid() % 16
      + CASE WHEN current_setting('application_name') = 'postern-worker' THEN 16 ELSE 0 END;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        {_count(table, came, "mine")}
      ELSIF TG_OP = 'UPDATE' THEN
        {_count(table, f"{came} UNION ALL {went}", "mine")}
      ELSE
        {_count(table, went, "mine")}
      END IF;
      RETURN NULL;
    END $f$
    """


def _begin(table: str) -> str:
    """Returns one statement, and so one transaction: it makes the triggers, and counts what is there if that is little.

    The triggers' lock keeps writers out until the commit, so that no message is counted twice or not at all.
    """
    kind = _TABLES[table][0]
    fill = _count(table, _grouped(table, table, "", "since"), "0")
    triggers = "".join(
        f"""
        EXECUTE format('CREATE OR REPLACE TRIGGER outcomes_{name.lower()} AFTER {name} ON {table} REFERENCING {rows}'
          ' FOR EACH STATEMENT EXECUTE FUNCTION postern_outcomes_{table}(%L)', since);
        """
        for name, rows in (
            ("INSERT", "NEW TABLE AS came"),
            ("UPDATE", "OLD TABLE AS went NEW TABLE AS came"),
            ("DELETE", "OLD TABLE AS went"),
        )
    )
    return f"""
    DO $do$
    DECLARE since timestamptz := '-infinity';
    BEGIN
      IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = '{table}'::regclass AND tgname = 'outcomes_delete') THEN
        RETURN;
      END IF;
      LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE;
      IF (SELECT count(*) FROM (SELECT FROM {table} LIMIT {_FEW + 1}) AS few) > {_FEW} THEN
        since := {_QUARTER.format("clock_timestamp()")} + interval '15 minutes';
        INSERT INTO outcome_starts (kind, since) VALUES ('{kind}', since);
      ELSE
        {fill}
      END IF;
      {triggers}
    END $do$
    """


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "outcome_counters",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("bucket", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), server_default="0", nullable=False) for name in _STATES),
        sa.PrimaryKeyConstraint("owner_id", "bucket", "kind", "channel", "shard", name="pk_outcome_counters"),
        postgresql_with={"fillfactor": "50"},
        if_not_exists=True,
    )
    op.create_index("ix_outcome_counters_bucket", "outcome_counters", ["bucket"], if_not_exists=True)
    op.create_table(
        "outcome_starts",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_outcome_starts"),
        if_not_exists=True,
    )
    for table in _TABLES:
        op.get_bind().exec_driver_sql(_function(table))
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table in _TABLES:
            op.get_bind().exec_driver_sql(_begin(table))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
