"""Statements whose plans PostgreSQL keeps from when their tables were empty, and that are full now: how much they
read.
"""

import json
from typing import Any

import asyncpg
import pytest

from engine.feed import event_feed
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


def rows_read(node: dict[str, Any]) -> int:
    """Returns how many rows all steps of a plan have returned and left out."""
    rows = sum(
        node.get(key, 0) for key in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
    )
    return int(rows * node.get("Actual Loops", 1)) + sum(rows_read(child) for child in node.get("Plans", []))
