"""Servers are killed, cut off and away, streams are full, workers die and freeze: no event is lost, each comes once
within the duplicate window, and those of one object keep their order.

COUNT=20 kills twenty times each, and AWAY=1800 stops the cluster for half an hour; the usual numbers are small, so that
the suite stays short.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from core.tasks import end
from engine.sinks import publisher
from runtime.services import Services
from tests.sinks.world import STREAM, World
from tests.support.nats import Brokers, running
from tests.support.people import People, Person
from tests.support.tcp import relay, serving
from tests.support.waits import freeze, until
from tests.webhooks.conftest import Spawn

COUNT = int(os.environ.get("COUNT", "3"))
AWAY = float(os.environ.get("AWAY", "3"))
LEASE = 3.0

pytestmark = [pytest.mark.rotating, pytest.mark.timeout(60 + 20 * COUNT + 2 * AWAY)]


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "PAUSES", (timedelta(seconds=0.3),))


@asynccontextmanager
async def happening(world: World, size: int = 60, pause: float = 0.1) -> AsyncIterator[None]:
    """Lets two events happen to each of some objects, again and again, until the end of the block."""

    async def happen() -> None:
        number = 0
        while True:
            await world.blocks(size, number * size)
            await asyncio.sleep(pause)
            await world.unblock()
            number += 1

    task = asyncio.create_task(happen())
    try:
        yield
    finally:
        await end((task,))


async def arrived(world: World, *, may_come_twice: bool = False) -> None:
    """Waits until the broker has everything, and asserts that nothing is missing, twice, or in another order."""

    async def has_all() -> bool:
        feed = await world.feed()
        rows = await world.db.fetch("SELECT * FROM event_sink_cursors WHERE owner_id = $1", world.ada.id)
        return all(row["position"] >= feed[-1]["position"] for row in rows)

    await until(has_all, 0.3)
    await world.compare(may_come_twice=may_come_twice)


async def more(world: World, begin: int) -> None:
    """Waits until more events are published, so that a fault meets a sink at work."""
    await world.published((await world.db.fetchrow("SELECT id FROM event_sinks")).id, begin)


async def published(world: World) -> int:
    return int(await world.db.fetchval("SELECT sum(published)::bigint FROM event_sink_cursors"))


async def test_the_leader_is_killed_again_and_again(clustered: World):
    await clustered.sink()
    async with clustered.publishing():
        async with happening(clustered):
            await more(clustered, 50)
            for _ in range(COUNT):
                leader = await clustered.brokers.leader(STREAM)
                leader.kill()
                before = await published(clustered)
                await more(clustered, before + 100)
                clustered.brokers.start(leader)
                await clustered.brokers.ready()
                await asyncio.sleep(1)
        await arrived(clustered)


async def test_the_only_server_that_the_address_names_is_away(clustered: World):
    """The others have been announced, and are remembered over failures and times without events."""
    named = clustered.brokers.nodes[0]
    sink = await clustered.sink(url=named.url)
    async with clustered.publishing():
        await clustered.blocks(5)
        await clustered.published(sink, 5)
        named.kill()
        await clustered.blocks(50, 100)
        await clustered.published(sink, 55)
        await asyncio.sleep(publisher.LINGER_SECONDS + 1)  # its connection is closed
        await clustered.blocks(5, 200)
        await clustered.published(sink, 60)
        clustered.brokers.start(named)
        await clustered.brokers.ready()
        await arrived(clustered)


async def test_the_cluster_is_away_for_a_while(clustered: World):
    await clustered.sink()
    async with clustered.publishing():
        async with happening(clustered, pause=max(0.1, AWAY / 300)):  # the feed has room for all of it
            await more(clustered, 50)
            for node in clustered.brokers.nodes:
                node.kill()
            await asyncio.sleep(AWAY)
            for node in clustered.brokers.nodes:
                clustered.brokers.start(node)
            await clustered.brokers.ready()
        await arrived(clustered, may_come_twice=AWAY > 100)  # the duplicate window has two minutes


async def test_a_server_that_stands_still_is_left(clustered: World):
    await clustered.sink()
    async with clustered.publishing():
        async with happening(clustered):
            await more(clustered, 50)
            leader = await clustered.brokers.leader(STREAM)
            leader.freeze()
            before = await published(clustered)
            await more(clustered, before + 100)
            leader.thaw()
        await arrived(clustered)


async def test_workers_are_killed_again_and_again(world: World, spawn: Spawn):
    await world.sink()
    workers = [spawn(LEASE), spawn(LEASE)]
    async with happening(world):
        for _ in range(COUNT):
            before = await published(world)
            await more(world, before + 50)
            await asyncio.sleep(0.1)
            # Both, so that the one who publishes is among them.
            for worker in workers:
                worker.send_signal(signal.SIGKILL)
                await worker.ended()
            workers = [spawn(LEASE), spawn(LEASE)]
    await arrived(world)


async def test_a_worker_that_was_frozen_moves_no_cursor_back(world: World, spawn: Spawn):
    await world.sink()
    first = spawn(LEASE)
    async with happening(world):
        await more(world, 50)
        freeze(first.pid)
        second = spawn(LEASE)
        before = await published(world)
        await more(world, before + 200)  # after the lease of the first one has expired
        first.send_signal(signal.SIGCONT)
        await asyncio.sleep(1)
        second.send_signal(signal.SIGKILL)
        await second.ended()
        before = await published(world)
        await more(world, before + 50)
    await arrived(world)


async def test_a_cut_in_the_network_loses_nothing(services: Services, ada: Person, broker: Brokers):
    cut = asyncio.Event()

    async def pass_on(data: bytes) -> bytes:
        if cut.is_set():
            await asyncio.sleep(3600)
        return data

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await relay(reader, writer, "127.0.0.1", broker.nodes[0].port, to_client=pass_on)

    async with serving(handle) as port:
        world = World(services, broker, ada)
        await world.sink(url=f"nats://127.0.0.1:{port}")
        async with world.publishing():
            async with happening(world):
                await more(world, 50)
                cut.set()  # the broker stores events, and its acknowledgements are lost
                await asyncio.sleep(1)
                row = await world.db.fetchrow("SELECT id FROM event_sinks")
                begun = time.monotonic()

                async def has_failed() -> bool:
                    return bool((await world.row(row.id))["failures"])

                await until(has_failed, 0.2)
                assert time.monotonic() - begun < 20  # an acknowledgement may take ten seconds
                cut.clear()
            await arrived(world)


async def test_a_full_stream_waits_and_is_told(services: Services, ada: Person, tmp_path: Path):
    async with running(tmp_path) as broker:
        world = World(services, broker, ada)
        async with broker.client() as client:
            api = client.jetstream()
            await api.add_stream(name=STREAM, subjects=["postern.>"], max_bytes=200_000, discard="new")
            sink = await world.sink()
            await world.blocks(2000)
            async with world.publishing():

                async def is_told() -> bool:
                    row = await world.row(sink)
                    return row["failures"] >= 3 and "maximum bytes" in row["last_error"]

                await until(is_told, 0.2)
                assert 0 < (await world.status(sink)).published < 2000
                config = (await api.stream_info(STREAM)).config
                await api.update_stream(config, max_bytes=-1)
                await arrived(world)


async def test_a_broker_that_takes_connections_and_says_nothing_delays_nobody(world: World, people: People):
    reached, bob = 0, await people.make()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal reached
        reached += 1
        await asyncio.sleep(3600)

    async with serving(say_nothing) as port:
        for _ in range(10):
            await world.sink(url=f"nats://127.0.0.1:{port}")
        good = await world.sink(bob.id)
        await world.blocks(5)
        await world.blocks(5, who=bob.id)
        async with world.publishing():
            await until(lambda: reached >= 2)
            for number in range(1, 20):
                begun = time.monotonic()
                await world.blocks(5, number * 10, who=bob.id)
                await world.published(good, 5 * (number + 1))
                assert time.monotonic() - begun < 4  # the silent ones take five seconds for each attempt


async def test_slow_brokers_leave_their_slots_to_others(world: World, people: People):
    """Thirty owners' brokers acknowledge one event in two seconds, more than there are slots."""

    async def pass_on(data: bytes) -> bytes:
        await asyncio.sleep(2)
        return data

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await relay(reader, writer, "127.0.0.1", world.brokers.nodes[0].port, to_client=pass_on)

    async with serving(handle) as port:
        for _ in range(30):
            person = await people.make()
            await world.sink(person.id, url=f"nats://127.0.0.1:{port}")
            await world.blocks(50, who=person.id)
        async with world.publishing():
            await asyncio.sleep(3)
            good = await world.sink()
            await world.blocks(5)
            begun = time.monotonic()
            await world.published(good, 5)
            assert (
                time.monotonic() - begun < 25
            )  # a slot is left after five seconds; without that after minutes


async def test_a_broker_that_floods_is_cut_off(world: World):
    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload":1048576,"headers":true}\r\n')
        await reader.readuntil(b"PING\r\n")
        writer.write(b"PONG\r\n")
        while True:
            writer.write(b"MSG x 1 99999999999\r\n" + b"x" * 1_000_000)
            await writer.drain()

    async with serving(flood) as port:
        sink = await world.sink(url=f"nats://127.0.0.1:{port}")
        await world.blocks(1)
        async with world.publishing():

            async def has_failed() -> bool:
                return bool((await world.row(sink))["failures"])

            await until(has_failed)
