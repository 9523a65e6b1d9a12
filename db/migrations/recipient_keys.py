"""The trigger that gives a key to the recipients that processes of an older release add."""

from alembic import op

# An older release adds emails without a key, and its ON CONFLICT names `(project_id, address)`: the same address in
# another spelling would break the unique index of keys. Such a row is left out, as ON CONFLICT DO NOTHING leaves out
# others. Without statistics, as in a new table, the plan of the first row would walk over the table for each of a
# million.
_FUNCTION = r"""
CREATE OR REPLACE FUNCTION postern_key_recipient() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  key CONSTANT text \:= lower(NEW.address);
BEGIN
  IF EXISTS (SELECT FROM recipients WHERE project_id = NEW.project_id AND COALESCE(address_key, address) = key) THEN
    RETURN NULL;
  END IF;
  NEW.address_key \:= NULLIF(key, NEW.address);
  RETURN NEW;
END $$
"""


def create_trigger() -> None:
    """Creates the trigger, or leaves it as it is."""
    op.execute(_FUNCTION)
    op.execute(
        "CREATE OR REPLACE TRIGGER key_recipient BEFORE INSERT ON recipients FOR EACH ROW"
        # A newer release says so (KEYED in db/address_keys.py): it does not pay for this.
        " WHEN (current_setting('postern.keyed', true) IS DISTINCT FROM 'on'"
        " AND NEW.address_key IS NULL AND NEW.address LIKE '%@%' AND NEW.address NOT LIKE '{%')"
        " EXECUTE FUNCTION postern_key_recipient()"
    )
