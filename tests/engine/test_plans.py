"""Tests PostgreSQL's plans for the statements that run all the time, on a table that has grown."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from core.ids import least_uuid7, uuid7
from engine import queue, upkeep
from engine.direct import claims
from engine.direct.due_floor import ALWAYS
from engine.inbound import inbound_messages
from tests.support.gateway import Gateway

ROWS = 60_000

# One of each second, ids from the past as a uuid7 would be; every third to the same few numbers.
_FILL = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, created_at, due_at)
SELECT encode(substr(int8send((extract(epoch FROM at) * 1000)::bigint), 3) || '\\x7000'::bytea
              || substr(decode(md5(g::text || $3), 'hex'), 1, 8), 'hex')::uuid,
  $1, $2, 'outbound', $3, $4, '+1415' || (1000000 + g % 20000), 'hello', 0, at, at
FROM (SELECT g, now() - interval '10 days' + g * interval '1 second' AS at FROM generate_series(1, $5) AS g) AS made
"""


@pytest.fixture
async def grown(gateway: Gateway, ada: Any, database: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database)
    await connection.execute("ALTER TABLE messages DISABLE TRIGGER moved")
    await connection.execute(_FILL, ada.id, ada.account_id, "sms", "delivered", ROWS)
    await connection.execute(_FILL, ada.id, ada.account_id, "email", "queued", ROWS // 4)
    await connection.execute("ANALYZE messages")
    yield connection
    await connection.close()


async def plan(connection: asyncpg.Connection, sql: str, *arguments: Any) -> str:
    """Returns the plan of a statement with the rows that each step touched; nothing stays changed."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        rows = await connection.fetch(
            f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) {sql}", *arguments
        )
    finally:
        await transaction.rollback()
    return "\n".join(row[0] for row in rows)


async def test_the_statements_of_every_day_read_what_they_need(gateway: Gateway, grown: Any) -> None:
    """One table for all of them: filling it takes most of the time."""
    lately = datetime.now(UTC) - timedelta(days=7)

    # Nothing is old enough, the state of almost every round.
    nothing = await plan(grown, upkeep._RETIRE, least_uuid7(lately - timedelta(days=4)), upkeep.BITE, lately)
    assert "pk_messages" in nothing
    assert "Seq Scan" not in nothing, nothing
    # The first of many bites.
    bite = await plan(grown, upkeep._RETIRE, least_uuid7(datetime.now(UTC)), upkeep.BITE, datetime.now(UTC))
    assert "Seq Scan" not in bite, bite
    assert f"actual rows={upkeep.BITE}" in bite

    # A channel whose backlog is large costs the others nothing.
    taken = await plan(grown, claims._CLAIM_DUE, uuid7(), "w", 500, timedelta(seconds=30), "sms", ALWAYS)
    assert "ix_messages_due" in taken
    assert "Removed by Filter" not in taken, taken
    full = await plan(grown, claims._CLAIM_DUE, uuid7(), "w", 500, timedelta(seconds=30), "email", ALWAYS)
    assert "ix_messages_due" in full
    assert "Sort Key: due_at" not in full, full
    assert "Seq Scan on messages" not in full
    forgotten = await plan(
        grown, upkeep._WAKE, [queue.drain("sms"), queue.drain("push")], ["sms", "push"], upkeep.EVER
    )
    assert "ix_messages_due" in forgotten, forgotten
    assert "Seq Scan on messages" not in forgotten

    # Whether there is work that nothing tells a worker of.
    lease = timedelta(seconds=30)
    for condition in (
        upkeep.is_due(lease),
        upkeep.is_due(lease, upkeep.RECENT),
        queue.are_left([queue.drain("sms")], lease),
    ):
        asked = await plan(grown, f"SELECT {condition}")
        assert "Seq Scan on messages" not in asked, asked

    # Whose a text is that comes in: from a stranger, and from someone who was written to a thousand times.
    await grown.execute(
        "UPDATE messages SET \"to\" = '+14155550100' WHERE channel = 'sms' AND right(\"to\", 1) = '7'"
    )
    await grown.execute("ANALYZE messages")
    for number in ("+4930111", "+14155550100"):
        query_plan = await plan(grown, inbound_messages._OWNER, "sms", number, least_uuid7(lately))
        assert "ix_messages_reached" in query_plan
        assert "Seq Scan on messages" not in query_plan, query_plan
        steps = [line for line in query_plan.splitlines() if "ix_messages_reached" in line]
        assert all(float(line.partition("actual rows=")[2].split()[0]) <= 1000 for line in steps), query_plan
