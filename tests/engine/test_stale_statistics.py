"""Statements whose plans PostgreSQL keeps from when their tables were empty, and that are full now: how much they
read.
"""

import json
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from core.settings import DatabaseOptions
from db.session import Database
from engine.feed import event_feed
from engine.upkeep import prune
from engine.webhooks import upkeep
from tests.connections.conftest import ACCOUNT, WEBHOOK
from tests.support.gateway import Gateway

ROWS = 6000
BATCH = 1000
_INBOX = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
SELECT CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END, 'x', 'feed', $1, '{}'
  FROM generate_series(1, $2) AS n
"""


@pytest.mark.parametrize(
    ("types", "statement", "more"),
    [
        ("uuid, bigint, int", event_feed._MOVE, f"0, {BATCH}"),
        ("uuid, int", event_feed.FORGET_INBOX, f"{BATCH}"),
    ],
    ids=["move", "forget"],
)
async def test_a_batch_of_the_inbox_is_read_in_one_pass(
    gateway: Gateway, ada: Any, database: str, types: str, statement: str, more: str
) -> None:
    """Each of 5,000 rows was compared with up to 40,000 others: 12 s, in which the owner's events stood still."""
    connection = await asyncpg.connect(database)
    transaction = connection.transaction()
    try:
        await connection.execute("DELETE FROM event_inbox")
        await connection.execute("VACUUM ANALYZE event_inbox")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE kept ({types}) AS {statement}")
        await connection.execute(f"EXECUTE kept ('{ada.id}', {more})")
        await transaction.start()
        await connection.execute(_INBOX, ada.id, ROWS)
        plan = await connection.fetchval(
            f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE kept ('{ada.id}', {more})"
        )
        await transaction.rollback()
    finally:
        await connection.close()
    assert rows_read(json.loads(plan)[0]["Plan"]) < 8 * ROWS


KEPT_AFTER = 6
"""Executions of a prepared statement after which PostgreSQL may keep a plan for all values."""
_KEPT = """
SELECT statement FROM pg_prepared_statements WHERE generic_plans > 0 AND statement ~ '(DELETE FROM|UPDATE) [a-z]'
"""


async def test_no_plan_of_upkeep_is_kept(gateway: Gateway, database: str) -> None:
    """By a plan from an empty table 5,000 of 20,000 deliveries took longer than a statement may: none were deleted."""
    db = Database(database, DatabaseOptions(read_pool_size=1))
    try:
        for _ in range(KEPT_AFTER + 1):
            await upkeep.look_after(db, db.now())
            await prune(db, 30)
        assert await db.fetch(_KEPT) == []
    finally:
        await db.close()


_DELIVERIES = """
INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, thread, body, state, created_at, dead_at, delivered_at,
  behind_failed)
SELECT gen_random_uuid(), $1, gen_random_uuid(), 'message', (n % 1000)::text, '{}', $2, now() - interval '90 days',
  now() - interval '90 days', now() - interval '90 days', $2 = 'waiting'
FROM generate_series(1, $3) AS n
"""


@pytest.mark.parametrize(
    ("types", "statement", "arguments", "state"),
    [
        ("(uuid, bigint, timestamptz, text)", upkeep._OVERFLOW, "('{hook}', {last}, now(), 'x')", "waiting"),
        ("(uuid, bigint)", upkeep._TOO_MANY_DEAD, "('{hook}', {last})", "dead"),
        ("(timestamptz)", upkeep._OLD_DELIVERED, "(now())", "delivered"),
        ("(timestamptz)", upkeep._EXPIRED, "(now())", "dead"),
        ("", upkeep._NOT_BEHIND, "", "waiting"),
    ],
    ids=["overflow", "too many dead", "old", "expired", "not behind"],
)
async def test_upkeep_reads_little_by_statistics_of_an_empty_table(
    ada: Any, database: str, types: str, statement: str, arguments: str, state: str
) -> None:
    connection = await asyncpg.connect(database)
    account, hook = uuid4(), uuid4()
    try:
        await connection.execute(ACCOUNT, account, ada.id, "m")
        await connection.execute(WEBHOOK, hook, account, "https://example.com", ada.id)
        await connection.execute("VACUUM ANALYZE webhook_deliveries")
        async with connection.transaction():
            await connection.execute(_DELIVERIES, hook, state, ROWS)
            last = await connection.fetchval("SELECT max(seq) FROM webhook_deliveries")
            await connection.execute(f"PREPARE anew {types} AS {statement}")
            plan = await connection.fetchval(
                f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE anew {arguments.format(hook=hook, last=last)}"
            )
    finally:
        await connection.close()
    assert rows_read(json.loads(plan)[0]["Plan"]) < 20 * ROWS


def rows_read(node: dict[str, Any]) -> int:
    """Returns how many rows all steps of a plan have returned and left out."""
    rows = sum(
        node.get(key, 0) for key in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
    )
    return int(rows * node.get("Actual Loops", 1)) + sum(rows_read(child) for child in node.get("Plans", []))
