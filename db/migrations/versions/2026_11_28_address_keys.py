"""Addresses are compared by their keys (shapes/addresses.py), which are stored where they differ from the address.

Few addresses have such a key, so no table is rewritten, and rows are changed in small batches, each a transaction. The
unique indexes are built first: nothing has a key by then, so an address is its own key, and these are unique already. Blocks
that become equal are merged, and so are the recipients of a project that has not started; the first recipient stays. Messages
of projects that have started get no key: a worker computes it when it sends them.

Processes of the release before may still run. They write rows without a key, and their ON CONFLICT names the constraints
`(owner_id, phone)` and `(project_id, address)`, which stay. Triggers give their blocks and recipients a key.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from alembic import op
from sqlalchemy import text

from db.migrations.indexes import build, drop
from db.migrations.recipient_keys import create_trigger
from shapes.addresses import stored_key

revision = "0035"
down_revision = "0034"

_TABLES = ("blocked_phones", "recipients", "import_rows", "messages", "message_records")
_BATCH = 2000

# Upper-case ASCII, all other alphabets, and domains in Punycode: their keys are computed, and most are the address itself.
_MAY_DIFFER = """{address} LIKE '%@%' AND {address} NOT LIKE '{{%'
AND ({address} <> lower({address}) OR {address} ~ '[^[:ascii:]]' OR {address} LIKE '%xn--%')"""
_CANDIDATES = """
SELECT {id}, {address} FROM {table} WHERE ({id}) > ({last}) AND address_key IS NULL AND {may_differ}
ORDER BY {id} LIMIT {most}
"""

# A block of the release before has no key; only an email can need one, and lower case is the key of nearly all.
_TRIGGER = r"""
CREATE OR REPLACE FUNCTION postern_key_block() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same record;
BEGIN
  -- The row that the insert is going to update, under whatever spelling it has.
  SELECT b.phone, b.address_key INTO same FROM blocked_phones AS b
  WHERE b.owner_id = NEW.owner_id AND COALESCE(b.address_key, b.phone) = lower(NEW.phone);
  IF FOUND THEN
    NEW.phone \:= same.phone;
    NEW.address_key \:= same.address_key;
  ELSE
    NEW.address_key \:= NULLIF(lower(NEW.phone), NEW.phone);
  END IF;
  RETURN NEW;
END $$;
"""

_MERGE_BLOCKS = r"""
CREATE OR REPLACE FUNCTION pg_temp.postern_key_blocks(ids uuid[], keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reasons CONSTANT text[] \:= ARRAY['manual', 'hardBounce', 'unsubscribed', 'optOut', 'complaint'];  -- the weakest first
  row record;
  other record;
  stays uuid;
  goes uuid;
BEGIN
  FOR row IN
    SELECT b.id, b.owner_id, b.reason, b.scope, n.key FROM unnest(ids, keys) AS n (id, key) JOIN blocked_phones AS b USING (id)
    ORDER BY b.id FOR UPDATE OF b
  LOOP
    SELECT id, reason, scope INTO other FROM blocked_phones
    WHERE owner_id = row.owner_id AND COALESCE(address_key, phone) = row.key AND id <> row.id FOR UPDATE;
    IF NOT FOUND THEN
      UPDATE blocked_phones SET address_key = row.key WHERE id = row.id;
      CONTINUE;
    END IF;
    stays \:= LEAST(row.id, other.id);
    goes \:= GREATEST(row.id, other.id);
    DELETE FROM blocked_phones WHERE id = goes;
    -- The address is still blocked: nobody who follows the events must take it for free.
    DELETE FROM event_inbox WHERE type = 'block.removed' AND subject_id = goes;
    UPDATE blocked_phones SET
      address_key = NULLIF(row.key, phone),
      scope = CASE WHEN 'all' IN (row.scope, other.scope) THEN 'all' ELSE 'promotional' END,
      reason = CASE WHEN array_position(reasons, row.reason) > array_position(reasons, other.reason)
        THEN row.reason ELSE other.reason END
    WHERE id = stays;
  END LOOP;
END $$
"""

_KEY_RECIPIENTS = """
CREATE OR REPLACE FUNCTION pg_temp.postern_key_recipients(ids uuid[], keys text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Nothing starts these projects or adds to them meanwhile.
  PERFORM FROM sending_projects AS p
  WHERE id IN (SELECT project_id FROM recipients WHERE id = ANY(ids)) AND status IN ('draft', 'scheduled') AND prepared_to = 0
  ORDER BY id FOR NO KEY UPDATE;
  WITH named AS (
    SELECT r.id, r.seq, r.project_id, n.key FROM unnest(ids, keys) AS n (id, key) JOIN recipients AS r ON r.id = n.id
    JOIN sending_projects AS p ON p.id = r.project_id AND p.status IN ('draft', 'scheduled') AND p.prepared_to = 0
  ), every AS (
    SELECT id, seq, project_id, key FROM named
    UNION
    SELECT r.id, r.seq, r.project_id, named.key FROM named
    JOIN recipients AS r ON r.project_id = named.project_id AND COALESCE(r.address_key, r.address) = named.key
  ), ranked AS (
    SELECT id, row_number() OVER (PARTITION BY project_id, key ORDER BY seq) AS place FROM every
  )
  DELETE FROM recipients WHERE id IN (SELECT id FROM ranked WHERE place > 1);
  -- Of two that are equal in a project that has started, both stay, and one has no key.
  UPDATE recipients AS r SET address_key = n.key FROM (
    SELECT DISTINCT ON (c.project_id, n.key) n.id, n.key FROM unnest(ids, keys) AS n (id, key) JOIN recipients AS c ON c.id = n.id
    WHERE NOT EXISTS (
      SELECT FROM recipients AS o WHERE o.project_id = c.project_id AND COALESCE(o.address_key, o.address) = n.key
    )
    ORDER BY c.project_id, n.key, c.seq
  ) AS n WHERE r.id = n.id;
END $$
"""

# Locked in the order in which all writers lock messages.
_KEY_MESSAGES = """
WITH named AS MATERIALIZED (
  SELECT m.id, n.key FROM unnest(CAST(:ids AS uuid[]), CAST(:keys AS text[])) AS n (id, key) JOIN messages AS m ON m.id = n.id
  ORDER BY m.id FOR NO KEY UPDATE OF m
)
UPDATE messages SET address_key = named.key FROM named WHERE messages.id = named.id
"""
_KEY_IMPORT_ROWS = """
UPDATE import_rows AS r SET address_key = n.key
FROM unnest(CAST(:ids AS uuid[]), CAST(:lines AS int[]), CAST(:keys AS text[])) AS n (id, line, key)
WHERE r.import_id = n.id AND r.line = n.line
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table in _TABLES:
            op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS address_key text")
    build("uq_blocked_phones_key", "blocked_phones (owner_id, COALESCE(address_key, phone))", unique=True)
    build("uq_recipients_key", "recipients (project_id, COALESCE(address_key, address))", unique=True)
    build("ix_message_records_key", 'message_records (COALESCE(address_key, "to"), owner_id)')
    build(
        "ix_messages_conversation_key",
        "messages (channel, COALESCE(address_key, \"to\"), id) WHERE direction = 'outbound'",
    )
    build("ix_messages_owner_id_key_id", 'messages (owner_id, COALESCE(address_key, "to"), id)')
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        op.execute(_TRIGGER)
        op.execute("DROP TRIGGER IF EXISTS key_block ON blocked_phones")
        op.execute(
            "CREATE TRIGGER key_block BEFORE INSERT ON blocked_phones FOR EACH ROW"
            " WHEN (NEW.address_key IS NULL AND NEW.phone LIKE '%@%') EXECUTE FUNCTION postern_key_block()"
        )
        create_trigger()
        op.execute(_MERGE_BLOCKS)
        op.execute(_KEY_RECIPIENTS)
        _fill()
    drop("ix_message_records_to")
    drop("ix_messages_conversation")
    with op.get_context().autocommit_block():  # an index of an expression has no statistics before
        for table in _TABLES:
            op.execute(f"ANALYZE {table}")


def _fill() -> None:
    bind = op.get_bind()
    for rows in _batches("blocked_phones", "phone"):
        _call("SELECT pg_temp.postern_key_blocks(CAST(:ids AS uuid[]), CAST(:keys AS text[]))", rows)
    for rows in _batches("recipients", "address"):
        _call("SELECT pg_temp.postern_key_recipients(CAST(:ids AS uuid[]), CAST(:keys AS text[]))", rows)
    for rows in _batches("messages", '"to"'):
        _call(_KEY_MESSAGES, rows)
    for rows in _batches("import_rows", "address", ("import_id", "line")):
        ids, lines, addresses = zip(*rows, strict=True)
        keys = [stored_key(address) for address in addresses]
        bind.execute(text(_KEY_IMPORT_ROWS), {"ids": [*map(str, ids)], "lines": [*lines], "keys": keys})


def _call(sql: str, rows: Sequence[Any]) -> None:
    parameters = {"ids": [str(id) for id, _ in rows], "keys": [stored_key(address) for _, address in rows]}
    op.get_bind().execute(text(sql), parameters)


def _batches(table: str, address: str, id: Sequence[str] = ("id",)) -> Iterator[Sequence[Any]]:
    """Yields rows (id, address) whose key differs from the address."""
    nil = "00000000-0000-0000-0000-000000000000"
    last: Sequence[Any] = (nil, 0)[: len(id)]
    bound = ", ".join(("CAST(:id AS uuid)", ":line")[: len(id)])
    sql = _CANDIDATES.format(
        id=", ".join(id),
        address=address,
        table=table,
        last=bound,
        may_differ=_MAY_DIFFER.format(address=address),
        most=_BATCH,
    )
    while True:
        values = dict(zip(("id", "line"), (str(last[0]), *last[1:]), strict=False))
        rows = op.get_bind().execute(text(sql.replace("[:ascii:]", r"[\:ascii\:]")), values).all()
        if not rows:
            return
        last = rows[-1][:-1]
        if differing := [row for row in rows if stored_key(row[-1]) is not None]:
            yield differing


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
