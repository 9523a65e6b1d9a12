"""The conformance suite on NATS: one server, and a cluster of three."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

import sinks
from core.outbound import Guard
from sinks.port import Sink, SinkAddress
from tests.sinks.conformance import Conformance, Rig, Stored
from tests.support.nats import Brokers, running

pytestmark = pytest.mark.servers

STREAM = "POSTERN"
LOOPBACK = Guard(["127.0.0.0/8"])


class NatsRig(Rig):
    def __init__(self, brokers: Brokers) -> None:
        self.brokers = brokers

    def sink(self) -> Sink:
        return sinks.connect(
            SinkAddress(
                kind="nats", url=self.brokers.url, stream=STREAM, subject="postern.{owner}.{type}",
                replicas=self.brokers.replicas,
            ),
            LOOPBACK,
        )  # fmt: skip

    async def stored(self) -> list[Stored]:
        messages = await self.brokers.messages(STREAM)
        return [Stored(UUID(each.headers["Nats-Msg-Id"]), each.subject, each.data) for each in messages]

    async def stop(self) -> None:
        for node in self.brokers.nodes:
            node.kill()

    async def start(self) -> None:
        for node in self.brokers.nodes:
            self.brokers.start(node)
        await self.brokers.ready()


@pytest.mark.timeout(120)
class TestNats(Conformance):
    @pytest.fixture(params=[1, 3], ids=["alone", "cluster"])
    async def rig(self, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[NatsRig]:
        async with running(tmp_path, request.param) as brokers:
            yield NatsRig(brokers)
