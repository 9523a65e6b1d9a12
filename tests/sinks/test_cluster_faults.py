"""A cluster's servers can't reach each other, and one has a full disk: no event is lost, and each comes once."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import nats.errors
import pytest

from runtime.services import Services
from tests.sinks.test_faults import _short_pauses, arrived, happening, more, published
from tests.sinks.world import STREAM, World
from tests.support.nats import Brokers, Node, may_have_small_disks, started
from tests.support.people import Person
from tests.support.tcp import relay, serving

__all__ = ["_short_pauses"]
pytestmark = [pytest.mark.rotating, pytest.mark.timeout(180)]

_NAME = re.compile(rb'"server_name":"(n\d)"')  # whoever connects says it first


class Network:
    """Connects the servers of a cluster. One of them can be cut off from the others."""

    def __init__(self) -> None:
        self.cut_off: str | None = None
        self._healed = asyncio.Event()

    def heal(self) -> None:
        self.cut_off = None
        self._healed.set()

    @asynccontextmanager
    async def to(self, node: Node) -> AsyncIterator[int]:
        """Leads to a server. Yields the port."""

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ends = [node.name]

            async def hold(data: bytes) -> bytes:
                while self.cut_off in ends:
                    await self._healed.wait()
                return data

            async def hold_caller(data: bytes) -> bytes:
                if len(ends) == 1 and (name := _NAME.search(data)) is not None:
                    ends.append(name[1].decode())
                return await hold(data)

            await relay(reader, writer, "127.0.0.1", node.cluster_port, to_server=hold_caller, to_client=hold)

        async with serving(handle) as port:
            yield port


async def test_the_leader_is_cut_off_from_the_others(services: Services, ada: Person, tmp_path: Path):
    """Without a majority it acknowledges nothing, though it can be reached; the others choose another leader."""
    network, brokers = Network(), Brokers(tmp_path, 3)
    async with AsyncExitStack() as stack:
        for node in brokers.nodes:
            node.advertised = await stack.enter_async_context(network.to(node))
        await stack.enter_async_context(started(brokers))
        world = World(services, brokers, ada)
        await world.sink()
        async with world.publishing():
            async with happening(world):
                await more(world, 50)
                leader = await brokers.leader(STREAM)
                network.cut_off = leader.name
                await more(world, await published(world) + 1000)
                async with brokers.client(servers=[leader.url]) as client:
                    with pytest.raises((TimeoutError, nats.errors.Error)):
                        await client.jetstream().publish(f"postern.{ada.id}.cut.off", b"{}", timeout=2)
                network.heal()
                await more(world, await published(world) + 200)
            await arrived(world)


async def test_the_disk_of_the_leader_is_full(services: Services, ada: Person, tmp_path: Path):
    if not may_have_small_disks(tmp_path):
        pytest.skip("no file system may be mounted here")
    async with started(Brokers(tmp_path, 3, disk="48m")) as brokers:
        world = World(services, brokers, ada)
        await world.sink()
        async with world.publishing():
            async with happening(world):
                await more(world, 50)
                leader = await brokers.leader(STREAM)
                leader.fill_disk()
                await more(world, await published(world) + 1000)
                assert "no space left" in leader.log()
                leader.kill()
                brokers.start(leader)  # with another disk
                await more(world, await published(world) + 200)
            await arrived(world)
