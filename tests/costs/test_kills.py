"""Workers die while they send and while they count traffic: what was charged is the ledger's sum, to the digit.

COUNT=20000 python tests/run.py tests/costs/test_kills.py --timeout=3000
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from engine.faultpoints import TRAFFIC_POINTS
from tests.costs.counting import COUNTED, DUE, LEDGER, is_exact
from tests.faults.world import World, shared_world
from tests.support.waits import until

pytestmark = pytest.mark.rotating

MESSAGES = int(os.environ.get("COUNT", "150"))


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def test_traffic_is_exact_after_kills(it: World) -> None:
    await it.provider(honours=True, seed=3, trouble=0.05)
    await it.start(MESSAGES)
    db = await asyncpg.connect(it.url)
    for point in ("unit.sent", *TRAFFIC_POINTS, "unit.recorded", "traffic.counted"):
        await db.execute(DUE)
        dying = await it.worker(FAULT_AT=point)
        if await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL:
            it.concerned()
    await it.worker()
    await it.quiet(within=max(600, MESSAGES / 20))
    await db.execute(DUE)

    async def counted() -> bool:
        return await db.fetchval(COUNTED) == await db.fetchval(LEDGER)

    await until(counted)
    assert await is_exact(db)
    (sums,) = await db.fetch("SELECT sum(messages) AS messages, sum(delivered) AS delivered FROM traffic")
    await db.close()
    verdict = await it.verdict()
    assert not verdict.problems, verdict
    assert sums["messages"] == MESSAGES
