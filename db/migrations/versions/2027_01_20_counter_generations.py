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
    """
CREATE TABLE IF NOT EXISTS counter_generation (
  id smallint NOT NULL,
  generation smallint NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT pk_counter_generation PRIMARY KEY (id),
  CONSTRAINT ck_counter_generation_single CHECK (id = 1),
  CONSTRAINT ck_counter_generation_fits CHECK (generation BETWEEN 0 AND 500)
)
""",
    "INSERT INTO counter_generation (id, generation, changed_at) VALUES (1, 0, now()) ON CONFLICT DO NOTHING",
    r"""
DO $do$
DECLARE
  name text;
  before text;
  changed text;
BEGIN
  FOREACH name IN ARRAY ARRAY['{functions}'] LOOP
    before := pg_get_functiondef(name::regproc);
    CONTINUE WHEN before LIKE '%counter_generation%';
    changed := regexp_replace(before, 'mine CONSTANT smallint := ([^;]+);',
      'mine CONSTANT smallint := (\1) + 64 * COALESCE((SELECT generation FROM counter_generation), 0);');
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
