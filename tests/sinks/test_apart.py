"""While `postern sinks` runs, workers leave sinks to it; when it dies, they go on."""

import asyncio
import signal

import pytest

from core.tasks import end
from engine.sinks import cursors
from engine.sinks.rounds import Publishing
from runtime.leases import leased
from tests.sinks.test_faults import COUNT, LEASE, arrived, happening, more, published
from tests.sinks.world import World
from tests.support.waits import until
from tests.webhooks.conftest import Spawn

pytestmark = pytest.mark.timeout(60 + 30 * COUNT)


async def test_a_worker_leaves_sinks_to_a_process_of_their_own(world: World):
    sink = await world.sink()
    async with world.publishing():  # as a worker
        async with happening(world):
            await more(world, 100)
            async with leased(world.db, cursors.APART, 60):
                await asyncio.sleep(1)
                before = await published(world)
                await asyncio.sleep(1)
                assert await published(world) == before  # also the publisher that was at work
                own = asyncio.create_task(Publishing(world.services, apart=True).run())
                await more(world, before + 100)
                await end((own,))
            await more(world, await published(world) + 100)
        await arrived(world)
    assert (await world.status(sink)).lag == 0


async def test_it_dies_again_and_again_and_workers_go_on(world: World, spawn: Spawn):
    async def is_apart() -> bool:
        return bool(await world.db.fetchval(f"SELECT {cursors.IS_APART}"))

    await world.sink()
    spawn(LEASE)
    async with happening(world):
        await more(world, 50)
        for _ in range(COUNT):
            process = spawn(LEASE, "sinks")
            await until(is_apart, 0.1)
            await more(world, await published(world) + 200)
            process.send_signal(signal.SIGKILL)
            await process.ended()
            await more(world, await published(world) + 200)
    await arrived(world)


async def test_it_stops_when_it_is_asked_to(world: World, spawn: Spawn):
    await world.sink()
    process = spawn(60, "sinks")
    async with happening(world):
        await more(world, 50)
        process.send_signal(signal.SIGTERM)
        await process.ended()
    assert process.returncode == 0
    left = await world.db.fetchval("SELECT count(*) FROM leases WHERE name LIKE $1", f"{cursors.APART}%")
    assert left == 0, "the next process would wait for them to expire"
