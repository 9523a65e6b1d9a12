"""message_records.is_unknown, and an index of it: a list of unknown messages no longer looks through all that failed.

No table is rewritten: the column is nullable, and only messages in the state `unknown` have a value.
"""

from alembic import op

from db.migrations.indexes import build

revision = "0019"
down_revision = "0017"


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
_BITE = 5000  # rows whose locks are held at once
# One microsecond: without a change of the time the messages would be shown as changed just now. The condition on
# `failure_code`, which such messages have, is that of an index.
_FILL = f"""
UPDATE message_records SET is_unknown = true, updated_at = updated_at + interval '1 microsecond'
WHERE id IN (
  SELECT id FROM message_records WHERE status = 'unknown' AND failure_code IS NOT NULL AND is_unknown IS NULL
  ORDER BY id LIMIT {_BITE} FOR NO KEY UPDATE
)
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the index stays when that is broken off.
    op.execute("ALTER TABLE message_records ADD COLUMN IF NOT EXISTS is_unknown boolean")
    op.execute(_FUNCTION)
    op.execute("DROP TRIGGER IF EXISTS mark_unknown ON message_records")
    op.execute(_TRIGGER)
    with op.get_context().autocommit_block():
        while op.get_bind().exec_driver_sql(_FILL).rowcount:
            pass
    build("ix_message_records_unknown", "message_records (project_id, seq) WHERE is_unknown")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
