"""Rules change and routes are switched off while a project is sent and workers die: nothing is lost or comes twice.

COUNT=20000 python tests/run.py tests/route_rules/test_kills.py --timeout=3000
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from itertools import cycle
from pathlib import Path

import asyncpg
import pytest

from core.ids import uuid7
from tests.faults.world import World, shared_world

pytestmark = pytest.mark.rotating

COUNT = int(os.environ.get("COUNT", "150"))
POINTS = ("unit.held", "unit.marked", "unit.sent", "unit.recorded")
_PAUSE = 0.4  # seconds from one change to the next
_RULE = "INSERT INTO route_rules (id, prefix, route, priority) VALUES ($1, $2, $3, $4)"
_SWITCH = """
INSERT INTO routes (id, name, enabled) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def change(db: asyncpg.Connection) -> None:
    """Switches one route off after the other, turns the order of the rules round, and removes one for a while."""
    for off in cycle(("north", "south", None)):
        for name in ("north", "south"):
            await db.execute(_SWITCH, uuid7(), name, name != off)
        await db.execute("UPDATE route_rules SET priority = 3 - priority")
        await db.execute("DELETE FROM route_rules WHERE prefix = '14150'")
        await asyncio.sleep(_PAUSE)
        await db.execute(_RULE, uuid7(), "14150", "south", 1)
        await asyncio.sleep(_PAUSE)


async def test_nothing_is_lost_and_nothing_comes_twice(it: World) -> None:
    await it.provider(honours=False, seed=3, trouble=0.05)
    await it.start(COUNT)
    dsn = it.channel.dsn(it.port, honours=False)
    routes = {"POSTERN_CHANNEL_SMS": f"{dsn}&name=north,{dsn}&name=south"}
    db = await asyncpg.connect(it.url)
    for place, name in enumerate(("north", "south"), 1):
        await db.execute(_RULE, uuid7(), "1415", name, place)
    changing = asyncio.create_task(change(db))
    for point in POINTS:
        dying = await it.worker(FAULT_AT=point, **routes)
        assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
        it.concerned()
    changing.cancel()
    await asyncio.wait([changing])
    for name in ("north", "south"):
        await db.execute(_SWITCH, uuid7(), name, True)
    await it.worker(**routes)
    await it.quiet(within=max(600, COUNT / 20))
    used = {row["provider"] for row in await db.fetch("SELECT DISTINCT provider FROM message_records")}
    await db.close()
    assert {"post", "post-2"} <= used
    verdict = await it.verdict()
    assert not verdict.problems, verdict
    assert verdict.states["sent"] + verdict.states["unknown"] == COUNT
    assert (verdict.lost, verdict.twice) == (0, 0)
