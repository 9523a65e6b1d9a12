"""While a snapshot is old, counters are written in other rows, and every sum stays what a recount says."""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from core.ids import uuid7
from engine.upkeep import counter_generations
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until

_STATES = ("queued", "sending", "sent", "delivered", "failed", "unknown", "canceled")
_ADD = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, claim_id)
SELECT id, $2, $3, 'outbound', 'sms', 'queued', '+14155550100', 'x', 0, NULL FROM unnest($1::uuid[]) AS id
"""
_MOVE = """
UPDATE messages SET state = $2, claim_id = CASE WHEN $2 = 'sending' THEN gen_random_uuid() END,
  failure_code = CASE WHEN $2 = 'failed' THEN 'rejected' END, sent_at = CASE WHEN $2 = 'sent' THEN now() END
WHERE id = ANY ($1)
"""
_RECOUNTS = {
    "message_counters": (
        "SELECT owner_id, channel, state, sum(stored)::int8 AS n FROM message_counters GROUP BY 1, 2, 3",
        "SELECT owner_id, channel, state, count(*) AS n FROM messages GROUP BY 1, 2, 3",
    ),
    "message_failures": (
        "SELECT owner_id, code, sum(count)::int8 AS n FROM message_failures GROUP BY 1, 2",
        "SELECT owner_id, failure_code AS code, count(*) AS n FROM messages WHERE state = 'failed' GROUP BY 1, 2",
    ),
    "outcome_counters": (
        "SELECT owner_id, sum(failed)::int8 AS n FROM outcome_counters GROUP BY 1",
        "SELECT owner_id, count(*) FILTER (WHERE state = 'failed') AS n FROM messages GROUP BY 1",
    ),
}
_SHARDS = "SELECT DISTINCT shard / 64 FROM {} WHERE shard >= 64"


@pytest.fixture
async def db(services: Services) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(services.db.url)
    yield connection
    await connection.close()


async def add(db: Any, who: Person, count: int = 5) -> list[Any]:
    ids = [uuid7() for _ in range(count)]
    await db.execute(_ADD, ids, who.id, who.account_id)
    return ids


async def switch(db: Any, active: bool) -> int:
    """Switches generations on or off. Returns the present period."""
    await db.execute("SELECT setval('old_snapshot', $1)", int(active))
    return int(await db.fetchval("SELECT extract(epoch FROM now())::int8 / 15"))


async def generations(db: Any, table: str = "message_counters") -> set[int]:
    """Returns the generations that have rows."""
    return {row[0] for row in await db.fetch(_SHARDS.format(table))}


async def equal(db: Any) -> None:
    """Sums of counters are those of the messages."""
    async with db.transaction(isolation="repeatable_read"):
        for table, (counted, recounted) in _RECOUNTS.items():
            sums = {tuple(row.values()) for row in await db.fetch(counted)}
            rows = {tuple(row.values()) for row in await db.fetch(recounted)}
            assert {row for row in sums if row[-1]} == {row for row in rows if row[-1]}, table


async def test_rows_of_former_generations_are_folded_and_the_last_two_stay(
    db: asyncpg.Connection, ada: Person, services: Services
) -> None:
    await add(db, ada)
    period = await switch(db, True)
    for _ in range(3):
        ids = await add(db, ada)
        await db.execute(_MOVE, ids[:2], "failed")
    buckets = await db.fetch("SELECT sum(queued), sum(failed) FROM message_buckets")
    tables = ("message_counters", "message_failures", "message_buckets", "outcome_counters")
    before = {table: await generations(db, table) for table in tables}
    written = {period % 500 + 1, (period + 1) % 500 + 1}  # 15 seconds may end meanwhile
    for table in tables:
        assert before[table], table
        assert before[table] <= written, table
    for later in (0, 1):
        await counter_generations.fold(services.db, period + later)
        assert {table: await generations(db, table) for table in tables} == before
    await counter_generations.fold(services.db, period + 3)
    for table in tables:
        assert await generations(db, table) == set()
        assert await db.fetchval(f"SELECT count(*) FROM {table} WHERE shard = 63"), table
    assert await db.fetch("SELECT sum(queued), sum(failed) FROM message_buckets") == buckets
    await equal(db)
    assert await ada.data("{ messages { totalCount } }") == {"messages": {"totalCount": 20}}


@pytest.mark.parametrize(
    ("first", "last", "ranges"),
    [(3, 9, [(4, 10)]), (497, 503, [(498, 500), (1, 4)]), (999, 1000, [(500, 500), (1, 1)])],
)
def test_generations_begin_again(first: int, last: int, ranges: list[tuple[int, int]]) -> None:
    assert [*counter_generations._ranges(first, last)] == ranges


_HOLDS = {
    "a backup": "SELECT count(*) FROM messages",
    "a transaction that has written and waits": "UPDATE accounts SET name = name",
}


@pytest.mark.parametrize("statement", _HOLDS.values(), ids=_HOLDS)
async def test_generations_begin_while_a_snapshot_is_old_and_end_with_it(
    db: asyncpg.Connection, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.setattr(counter_generations, "OLD", timedelta(seconds=0.5))

    async def active() -> bool:
        await counter_generations.look_after_counters(services)
        return bool(await db.fetchval("SELECT last_value FROM old_snapshot"))

    assert not await active()
    holder = await asyncpg.connect(services.db.url)
    transaction = holder.transaction(
        isolation="repeatable_read" if statement.startswith("SELECT") else "read_committed"
    )
    await transaction.start()
    await holder.execute(statement)
    await until(active, 0.1)
    await add(db, ada)
    assert await generations(db)
    assert await active(), "it stays while the snapshot is there"
    await transaction.rollback()
    await holder.close()
    assert not await active()
    assert await generations(db) == set(), "the last generations are folded at once"
    await equal(db)


async def test_messages_move_while_generations_come_and_are_folded(
    db: asyncpg.Connection, ada: Person, bob: Person, services: Services
) -> None:
    """Nobody waits in a circle, and nothing is lost or counted twice."""
    over = asyncio.Event()

    async def moves(seed: int) -> None:
        luck = random.Random(seed)
        own = await asyncpg.connect(services.db.url)
        try:
            ids = [await add(own, who, 3) for who in (ada, bob)]
            for _ in range(60):
                mine = luck.choice(ids)
                await own.execute(_MOVE, luck.sample(mine, 2), luck.choice(_STATES))
                mine += await add(own, luck.choice((ada, bob)), 2)
        finally:
            await own.close()

    period = await switch(db, True)

    async def folds() -> None:
        while not over.is_set():
            await counter_generations.fold(services.db, period + random.randint(2, 6))

    folding = [asyncio.create_task(folds()) for _ in range(2)]
    await asyncio.gather(*(moves(seed) for seed in range(6)))
    over.set()
    await asyncio.gather(*folding)
    await equal(db)
    await switch(db, False)
    await counter_generations.fold_all(services.db)
    assert await generations(db) == set()
    await equal(db)


async def test_an_update_under_a_snapshot_passes_the_versions_of_its_generation_alone(
    db: asyncpg.Connection, ada: Person, services: Services
) -> None:
    """Index entries that are read by a hundred updates, after two thousand others under a snapshot."""
    holder = await asyncpg.connect(services.db.url)
    snapshot = holder.transaction(isolation="repeatable_read")
    await snapshot.start()
    await holder.fetchval("SELECT count(*) FROM messages")
    (id,) = await add(db, ada, 1)

    async def turn(times: int) -> None:
        for number in range(times):
            await db.execute(_MOVE, [id], ("queued", "sent")[number % 2])

    read = """SELECT pg_stat_get_xact_tuples_fetched('message_counters'::regclass)
      + pg_stat_get_xact_tuples_fetched('outcome_counters'::regclass)"""
    sizes = "SELECT pg_relation_size('message_counters')"
    await turn(2000)
    grown = await db.fetchval(sizes)
    await switch(db, True)
    async with db.transaction():
        before = await db.fetchval(read)
        await turn(100)
        fresh = await db.fetchval(read) - before
    assert fresh < 100 * 20, "each update reads little"
    assert grown > 100_000, "the snapshot keeps all versions"
    await snapshot.rollback()
    await holder.close()


async def test_every_column_of_the_counters_is_added_up(db: asyncpg.Connection) -> None:
    columns = "SELECT column_name FROM information_schema.columns WHERE table_name = $1"
    for table, (key, sums) in counter_generations._TABLES.items():
        named = {*key.split(", "), *sums, "shard"}
        assert {row[0] for row in await db.fetch(columns, table)} == named, table
