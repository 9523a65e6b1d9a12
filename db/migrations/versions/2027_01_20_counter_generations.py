"""Counters of messages are written in rows of their own while somebody holds a snapshot: see decision 0080.

The functions of the counters stay as they are, but for the shard: it has the generation in its upper part.

Revision ID: 0086
Revises: 0085
"""

from db.migrations.indexes import build
from db.migrations.locks import change_briefly

revision = "0086"
down_revision = "0085"
branch_labels = None
depends_on = None

_TABLES = ("message_counters", "message_failures", "message_buckets", "outcome_counters")
_FUNCTIONS = ("postern_count_messages", "postern_outcomes_messages", "postern_outcomes_message_records")
_STATEMENTS = (
    # A switch: 1 while a snapshot is old. A row would have a version for each change, which the snapshot keeps.
    "CREATE SEQUENCE IF NOT EXISTS old_snapshot AS smallint MINVALUE 0 MAXVALUE 1 START 0",
    r"""
DO $do$
DECLARE
  name text;
  before text;
  changed text;
BEGIN
  FOREACH name IN ARRAY ARRAY['{functions}'] LOOP
    before := pg_get_functiondef(name::regproc);
    CONTINUE WHEN before LIKE '%old_snapshot%';
    changed := regexp_replace(before, 'mine CONSTANT smallint := ([^;]+);',
      'mine CONSTANT smallint := (\1) + 64 * (SELECT CASE last_value WHEN 1'
      ' THEN extract(epoch FROM now())::int8 / 15 % 500 + 1 ELSE 0 END FROM old_snapshot);');
    IF changed = before THEN
      RAISE EXCEPTION 'the function % has no shard', name;
    END IF;
    EXECUTE changed;
  END LOOP;
END $do$
""".replace("{functions}", "', '".join(_FUNCTIONS)),
)


def upgrade() -> None:
    for table in _TABLES:
        build(f"ix_{table}_generations", f"{table} (shard) WHERE shard >= 64")
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
