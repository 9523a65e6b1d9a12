"""message_records.updated_at, and indexes for `updatedSince`.

The new column's value of rows from before is the time of this migration: nothing else is known of them. No table is
rewritten, and the locks are held for a moment.
"""

from alembic import op

from db.migrations.indexes import build

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the indexes stays when those are broken off.
    op.execute(
        "ALTER TABLE message_records ADD COLUMN IF NOT EXISTS updated_at timestamptz DEFAULT now() NOT NULL"
    )
    op.execute(_TOUCH)
    op.execute("DROP TRIGGER IF EXISTS touch ON message_records")
    op.execute(
        "CREATE TRIGGER touch BEFORE UPDATE ON message_records FOR EACH ROW"
        " WHEN (NEW.updated_at = OLD.updated_at) EXECUTE FUNCTION postern_touch()"
    )
    for table in ("messages", "message_records"):
        brin = "USING brin (updated_at) WITH (pages_per_range = 16, autosummarize = on)"
        build(f"ix_{table}_updated_at", f"{table} {brin}")


# A trigger, so that no statement that moves a message can forget it. Those that move most of them set the column
# themselves, for a function call costs a microsecond a row.
_TOUCH = r"""
CREATE OR REPLACE FUNCTION postern_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at \:= now();
  RETURN NEW;
END $$
"""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
