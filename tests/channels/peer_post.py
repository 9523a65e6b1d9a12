"""A provider of one's own, which takes JSON and honours Idempotency-Key, on loopback."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.channels.http_stub import HttpStub, Reply, Seen, Wire
from tests.channels.peer import Received, Scenario

PASSWORD = "s3cret/pass"


class Provider:
    driver = "post"
    supports = frozenset(Scenario)
    recipient = "+14155550123"
    bad_recipient = "+15005550001"
    longest = "ж" * 100_000
    secrets = (PASSWORD,)

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.keys: dict[str, str] = {}
        self.scenario = Scenario.accept
        self.stub = HttpStub(self.answer)

    @property
    def dsn(self) -> str:
        return (
            f"post://gate:s3cret%2Fpass@127.0.0.1:{self.stub.port}/send?scheme=http&timeout=1.5&idempotent=1"
        )

    def script(self, scenario: Scenario) -> None:
        self.scenario = scenario
        if scenario is Scenario.hang_before:
            self.stub.die()
        else:
            self.stub.revive()

    def answer(self, seen: Seen) -> Reply | Wire:
        basic = base64.b64encode(f"gate:{PASSWORD}".encode()).decode()
        if self.scenario is Scenario.bad_credentials or seen.headers["authorization"] != f"Basic {basic}":
            return Reply.of(401, {"message": "who are you?"})
        if (seen.method, seen.target) != ("POST", "/send"):
            return Reply.of(404, {"message": "not here"})
        body = seen.json
        assert seen.headers["idempotency-key"] == body["key"]
        if self.scenario is Scenario.refuse or body["to"] == self.bad_recipient:
            return Reply.of(400, {"message": "no such number"})
        if self.scenario is Scenario.transient:
            return Reply.of(503, {})
        if self.scenario is Scenario.throttle:
            return Reply.of(429, {}, retry_after="7")
        if body["key"] not in self.keys:
            self.keys[body["key"]] = f"p-{len(self.keys)}"
            self.received.append(Received(body["key"], body["to"], body["body"], body))
        if self.scenario is Scenario.hang_after:
            return Wire.hang
        if self.scenario is Scenario.reset_after:
            return Wire.reset
        return Reply.of(202, {"id": self.keys[body["key"]]})


@asynccontextmanager
async def peer() -> AsyncIterator[Provider]:
    provider = Provider()
    async with provider.stub:
        yield provider
