"""message_records.is_unknown, and an index of it: a list of unknown messages no longer looks through all that failed.

No table is rewritten: the column is nullable, and only messages in the state `unknown` have a value.
"""

from alembic import op

revision = "0019"
down_revision = "0017"

_INDEX = "ix_message_records_unknown"

# A column of its own: an index that named `status` would have to be written with every move of every message.
_FUNCTION = """
CREATE OR REPLACE FUNCTION postern_mark_unknown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_unknown := CASE WHEN NEW.status = 'unknown' THEN true END;
  RETURN NEW;
END $$
"""
# A trigger, so that no statement that moves a message can forget it. It costs nothing where nothing is to be changed.
_TRIGGER = """
CREATE TRIGGER mark_unknown BEFORE INSERT OR UPDATE ON message_records FOR EACH ROW
WHEN ((NEW.status = 'unknown') IS DISTINCT FROM (NEW.is_unknown IS TRUE)) EXECUTE FUNCTION postern_mark_unknown()
"""
# One microsecond: without a change of the time the messages would be shown as changed just now.
_FILL = """
UPDATE message_records SET is_unknown = true, updated_at = updated_at + interval '1 microsecond'
WHERE status = 'unknown' AND is_unknown IS NULL
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the index stays when that is broken off.
    op.execute("ALTER TABLE message_records ADD COLUMN IF NOT EXISTS is_unknown boolean")
    op.execute(_FUNCTION)
    op.execute("DROP TRIGGER IF EXISTS mark_unknown ON message_records")
    op.execute(_TRIGGER)
    with op.get_context().autocommit_block():
        op.execute(_FILL)
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_INDEX}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {_INDEX} ON message_records (project_id, seq) WHERE is_unknown"
        )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
