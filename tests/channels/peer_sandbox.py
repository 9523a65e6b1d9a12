"""The sandbox has no server: a scenario is a magic recipient, and what was received is what its box kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from channels.sandbox import box
from tests.channels.peer import Received, Scenario

RECIPIENTS = {
    Scenario.accept: "anna@example.com",
    Scenario.refuse: "failed@sandbox.postern.test",
    Scenario.transient: "flaky@sandbox.postern.test",
    Scenario.throttle: "throttled@sandbox.postern.test",
    Scenario.hang_after: "timeout@sandbox.postern.test",
}


class Sandbox:
    driver = "sandbox"
    supports = frozenset(RECIPIENTS)
    recipient = RECIPIENTS[Scenario.accept]
    bad_recipient = "failed+once@sandbox.postern.test"
    longest = "long " * 200_000
    retry_after = 1.0

    def __init__(self) -> None:
        self.name = f"peer-{uuid4().hex}"
        self.dsn = f"sandbox://{self.name}?timeout=0.2"

    @property
    def received(self) -> list[Received]:
        outbox = box(self.name).outbox
        return [
            Received(f"{accepted.message.key}", accepted.message.to, accepted.message.body)
            for accepted in outbox
        ]

    def script(self, scenario: Scenario) -> None:
        self.recipient = RECIPIENTS[scenario]


@asynccontextmanager
async def peer() -> AsyncIterator[Sandbox]:
    yield Sandbox()
