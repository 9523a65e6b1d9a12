"""An index tells if an address is erased, however many people the owner has erased."""

from typing import Any

import orjson

from engine.direct import new_messages
from engine.projects import batches
from runtime.services import Services
from tests.support.people import Person

_MANY = 50_000
_FILL = (
    """
INSERT INTO blocked_phones (id, owner_id, phone, reason, scope)
SELECT gen_random_uuid(), $1::uuid, 'erased:' || md5(n::text), 'complaint', 'all' FROM generate_series(1, $2::int) AS n
""",
    """
INSERT INTO erasures (id, owner_id) SELECT md5($1::uuid::text || n)::uuid, $1 FROM generate_series(1, $2::int) AS n
""",
    """
INSERT INTO erasure_addresses (id, erasure_id, owner_id, kind, address, address_hash)
SELECT gen_random_uuid(), md5($1::uuid::text || n)::uuid, $1, 'address', n::text, 'erased:' || md5(n::text || 'x')
FROM generate_series(1, $2::int) AS n
""",
)
_ONE = f"""
EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT new_messages.* FROM (
  SELECT {new_messages._BLOCKED} AS blocked FROM (VALUES ($1::uuid, '+14155550100', $2::text, 'transactional', NULL))
    AS new (owner_id, "to", address_hash, category, address_key)) AS new_messages
"""


def rows_read(plan: dict[str, Any]) -> int:
    """The rows that all parts of a plan have read."""
    removed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    here = (plan["Actual Rows"] + removed) * plan["Actual Loops"]
    return int(here) + sum(map(rows_read, plan.get("Plans", [])))


async def test_the_index_is_used(services: Services, ada: Person):
    async with services.db.transaction() as db:
        for statement in _FILL:
            await db.execute(statement, ada.id, _MANY)
    async with services.db.reading() as db:
        await db.execute("ANALYZE blocked_phones, erasure_addresses")
        ids = [
            row["id"] for row in await db.fetch("SELECT gen_random_uuid() AS id FROM generate_series(1, 500)")
        ]
        hashes = [f"erased:no-{n}" for n in range(500)]
        explain = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "
        for sql, arguments in (
            (explain + batches._ERASED, (ada.id, ids, hashes, "promotional")),
            (_ONE, (ada.id, "erased:no")),
        ):
            (plan,) = await db.fetchval(sql, *arguments)
            assert rows_read(plan["Plan"]) < 5_000, orjson.dumps(plan).decode()


async def test_what_is_erased_is_found(services: Services, ada: Person):
    async with services.db.transaction() as db:
        for statement in _FILL:
            await db.execute(statement, ada.id, 3)
        is_erased = f"SELECT blocked FROM ({_ONE.partition('FROM (')[2]}"
        hashed = "SELECT 'erased:' || md5($1)"
        values = [await db.fetchval(hashed, text) for text in ("1", "2x", "4")]
        assert [await db.fetchval(is_erased, ada.id, value) for value in (*values, None)] == [
            True, True, False, True,
        ]  # fmt: skip
        await db.execute("DELETE FROM erasures WHERE owner_id = $1", ada.id)
        await db.execute("DELETE FROM blocked_phones WHERE owner_id = $1", ada.id)
        assert await db.fetchval(is_erased, ada.id, None) is False
