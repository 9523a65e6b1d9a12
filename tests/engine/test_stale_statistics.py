"""Statements whose plans PostgreSQL keeps from when their tables were empty, and that are full now: how much they
read.
"""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from core.database_options import DatabaseOptions
from db.session import Database
from engine.feed import event_feed
from engine.upkeep import prune
from engine.webhooks import delivery_queries, upkeep
from engine.webhooks.delivery_queries import EndpointState
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
        ("uuid, bigint, int, bigint", event_feed._MOVE, f"0, {BATCH}, 0"),
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


_KEPT_OF_DELIVERIES = """
SELECT statement FROM pg_prepared_statements WHERE generic_plans > 0 AND statement ~ 'webhook_(ready|due|deliveries)'
"""


async def test_no_plan_of_deliveries_is_kept(gateway: Gateway, database: str) -> None:
    """By a plan from an empty table each look at the next events read all that waited."""
    db = Database(database, DatabaseOptions(read_pool_size=1))
    claim: Any = SimpleNamespace(webhook_id=uuid4(), id=uuid4())
    state = EndpointState(1, None, None, None)
    options: Any = {"in_memory": [], "without_threads": [], "most": 9, "due": 9, "size": 9}
    try:
        for _ in range(KEPT_AFTER + 1):
            await delivery_queries.look(db, claim, db.now(), **options)
            await delivery_queries.store_outcomes(db, claim, state, [])
            await delivery_queries.webhooks_with_new_events(db, [(uuid4(), 1)])
        assert await db.fetch(_KEPT_OF_DELIVERIES) == []
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


_READY = """
INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, thread, body, state)
SELECT gen_random_uuid(), $1, gen_random_uuid(), 'message', (n % 1000)::text, '{}', 'waiting'
FROM generate_series(1, $2) AS n
"""
_FAILED = """
UPDATE webhook_deliveries SET next_at = now() + interval '1 hour', failed_at = now() - make_interval(mins => $2)
WHERE webhook_id = $1 AND thread::int < 100 AND seq = (
  SELECT min(d.seq) FROM webhook_deliveries AS d WHERE d.webhook_id = $1 AND d.thread = webhook_deliveries.thread
)
"""


@pytest.mark.parametrize("is_due", [False, True])
async def test_a_look_reads_little_by_statistics_of_an_empty_table(
    ada: Any, database: str, is_due: bool
) -> None:
    """It read all that waited, three times, to find the failed events."""
    connection = await asyncpg.connect(database)
    account, hook, claim = uuid4(), uuid4(), uuid4()
    most = 50
    try:
        await connection.execute(ACCOUNT, account, ada.id, "m")
        await connection.execute(WEBHOOK, hook, account, "https://example.com", ada.id)
        await connection.execute(
            "UPDATE webhooks SET claim_id = $2, waits_ended_at = now() - interval '1 minute' WHERE id = $1",
            hook,
            claim,
        )
        await connection.execute("VACUUM ANALYZE webhook_deliveries")
        await connection.execute(_READY, hook, ROWS)
        await connection.execute(_FAILED, hook, 2 if is_due else 0)
        types = "uuid, uuid, timestamptz, bigint[], text[], int, bigint, int"
        await connection.execute(f"PREPARE anew ({types}) AS {delivery_queries._LOOK}")
        values = f"'{hook}', '{claim}', now(), '{{}}', '{{}}', {most}, 1000000, {most}"
        plan = await connection.fetchval(
            f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE anew ({values})"
        )
    finally:
        await connection.close()
    top = json.loads(plan)[0]["Plan"]
    found = next(rows for node, rows in _functions(top) if node == "webhook_due")
    assert found == (most if is_due else 0)
    assert rows_read(top) < 30 * most
    assert top["Shared Hit Blocks"] + top["Shared Read Blocks"] < 4000


def _functions(node: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Yields the names of the functions that a plan reads, with the rows they return."""
    if name := node.get("Function Name"):
        yield name, node["Actual Rows"]
    for child in node.get("Plans", []):
        yield from _functions(child)


def rows_read(node: dict[str, Any]) -> int:
    """Returns how many rows all steps of a plan have returned and left out."""
    rows = sum(
        node.get(key, 0) for key in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
    )
    return int(rows * node.get("Actual Loops", 1)) + sum(rows_read(child) for child in node.get("Plans", []))
