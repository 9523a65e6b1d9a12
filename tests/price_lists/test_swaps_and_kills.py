"""A price list is replaced while a project is sent by it and workers die: each message has the price of the start.

COUNT=100000 python tests/run.py tests/price_lists/test_swaps_and_kills.py --timeout=3000     as much as a night's run
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7
from tests.faults.world import World, shared_world

pytestmark = pytest.mark.rotating

COUNT = int(os.environ.get("COUNT", "120"))
POINTS = ("unit.held", "unit.sent", "unit.recorded")
_PRICES = {"1": Decimal("0.02"), "14150": Decimal("0.03"), "1415000001": Decimal("0.000007")}


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def add_version(db: Any, list_id: UUID, number: int, prices: dict[str, Decimal]) -> UUID:
    version = uuid7()
    await db.execute(
        "INSERT INTO price_list_versions (id, list_id, number, valid_from, size) VALUES ($1, $2, $3, now(), $4)",
        version, list_id, number, len(prices),
    )  # fmt: skip
    await db.executemany(
        "INSERT INTO prices (version_id, channel, prefix, price) VALUES ($1, 'sms', $2, $3)",
        [(version, prefix, price) for prefix, price in prices.items()],
    )
    return version


async def test_each_message_is_charged_by_the_list_of_the_start(it: World) -> None:
    await it.provider(honours=True, seed=1, trouble=0.05)
    await it.start(COUNT)
    db = await asyncpg.connect(it.url)
    list_id = uuid7()
    await db.execute("INSERT INTO price_lists (id, name, currency) VALUES ($1, 'List', 'USD')", list_id)
    first = await add_version(db, list_id, 1, _PRICES)
    await db.execute("UPDATE tariffs SET price_list_id = $1 WHERE code = 'default'", list_id)
    await db.execute("UPDATE sending_projects SET price_version_id = $1", first)  # as the operation starts it
    for number, point in enumerate(POINTS, 2):
        dying = await it.worker(FAULT_AT=point)
        assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
        it.concerned()
        await add_version(db, list_id, number, {prefix: price * number for prefix, price in _PRICES.items()})
    await it.worker()
    await it.quiet(within=max(600, COUNT / 20))
    verdict = await it.verdict()
    assert not verdict.problems, verdict
    assert verdict.states == {"sent": COUNT}
    rows = await db.fetch('SELECT "to", price, price_prefix, price_version_id FROM message_records')
    await db.close()
    for row in rows:
        prefix = max((prefix for prefix in _PRICES if row["to"][1:].startswith(prefix)), key=len)
        assert (row["price_prefix"], row["price"], row["price_version_id"]) == (
            prefix,
            _PRICES[prefix],
            first,
        )
    assert {row["price_prefix"] for row in rows} == {"14150", "1415000001"}
