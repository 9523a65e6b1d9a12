"""The stream of a route, with a real database: what is in flight, what is ahead, and how few transactions it takes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from channels.port import Outcome, Outgoing, Result
from engine.sending import concurrency
from engine.sending.concurrency import FLOOR, START, AdaptiveLimit
from engine.sending.groups import GroupStore
from engine.sending.streams import streams_of
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway
from tests.support.waits import PATIENCE, until

INTENTS = "messages WHERE handed_at IS NOT NULL AND state = 'sending'"


class Slow(Fake):
    """Answers each message after a while, and knows how many it had at once.

    With `fills` it answers none before it has had `batch` messages at once, so that a busy machine, which may claim
    slower than they end, gets there too.
    """

    def __init__(self, batch: int, seconds: float, *, fills: bool = False, **more: Any) -> None:
        super().__init__(batch=batch, **more)
        self.seconds, self.most, self.now = seconds, 0, 0
        self.full = asyncio.Event()
        self.enough = batch if fills else 0

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        self.now += len(batch)
        self.most = max(self.most, self.now)
        if self.most >= self.enough:
            self.full.set()
        await asyncio.wait_for(self.full.wait(), PATIENCE)
        await asyncio.sleep(self.seconds)
        self.now -= len(batch)
        return await super().send(batch)


async def test_intents_are_recorded_ahead_but_never_more_than_half_as_many(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, hanging := Fake(hangs=True, batch=10), kind="sms")
    await gateway.queue(ada, 600)
    draining = asyncio.create_task(drain("sms"))
    await until(lambda: len(hanging.took) == 10)
    await asyncio.sleep(0.2)  # nothing more may come
    assert await gateway.count(INTENTS) == 15
    assert len(hanging.took) == 10
    gateway.services.stopping.set()  # an orderly stop withdraws what was not dispatched
    await until(lambda: is_count(gateway, 10))
    hanging.gate.set()
    await asyncio.wait_for(draining, PATIENCE)
    assert await gateway.states() == {"sent": 10, "queued": 590}
    assert await gateway.count("claims") == 0
    gateway.services.stopping.clear()
    assert await drain("sms") == 590
    assert await gateway.states() == {"sent": 600}
    assert len({message.id for message in hanging.took}) == len(hanging.took) == 600


async def is_count(gateway: Gateway, count: int) -> bool:
    return await gateway.count(INTENTS) == count


@pytest.mark.parametrize(("batch", "messages", "most"), [(10, 300, 0.4), (100, 1000, 0.1)])
async def test_a_transaction_is_for_a_group(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any, batch: int, messages: int, most: float
) -> None:
    use(gateway.services, slow := Slow(batch, 0.02, fills=True), kind="sms")
    streams_of(gateway.services).of(slow)._in_flight.concurrency = AdaptiveLimit(batch, start=batch)
    commits = 0
    commit = GroupStore.commit

    async def counted(self: GroupStore, *arguments: Any) -> Any:
        nonlocal commits
        commits += 1
        return await commit(self, *arguments)

    monkeypatch.setattr(GroupStore, "commit", counted)
    await gateway.queue(ada, messages)
    assert await drain("sms") == messages
    assert await gateway.states() == {"sent": messages}
    assert slow.most == batch  # as many as the route may have, and no more
    assert commits / messages <= most


async def test_a_share_that_is_taken_away_while_intents_are_stored(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    use(gateway.services, fake := Fake(batch=8), kind="sms")
    stream = streams_of(gateway.services).of(fake)
    commit = GroupStore.commit

    async def commit_without_share(self: GroupStore, *arguments: Any) -> Any:
        monkeypatch.setattr(GroupStore, "commit", commit)
        recorded = await commit(self, *arguments)
        stream.share(0)  # other workers have it all
        return recorded

    monkeypatch.setattr(GroupStore, "commit", commit_without_share)
    await gateway.queue(ada, 4)
    draining = asyncio.create_task(drain("sms"))
    await until(lambda: stream.concurrency.most == 0)
    await until(
        lambda: is_count(gateway, 0)
    )  # the intents are withdrawn, not kept for a share that may never come
    assert fake.took == []
    stream.share(8)
    await asyncio.wait_for(draining, PATIENCE)

    async def are_sent() -> bool:
        await drain("sms")  # what was withdrawn may be due a moment later
        return bool(await gateway.states() == {"sent": 4})

    await until(are_sent)
    assert len(fake.took) == 4


class Filling(Fake):
    """Answers one message each time when as many are in flight as the limit allows, until it had `batch` at once."""

    def __init__(self, batch: int, limit: Callable[[], int]) -> None:
        super().__init__(batch=batch)
        self.limit, self.most, self.now = limit, 0, 0
        self.changed = asyncio.Condition()

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        async with self.changed:
            self.now += len(batch)
            self.most = max(self.most, self.now)
            self.changed.notify_all()
            await self.changed.wait_for(lambda: self.most == self.batch or self.now >= self.limit())
            self.now -= len(batch)
        return await super().send(batch)


async def test_a_stream_grows_from_its_first_limit_to_that_of_the_route(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(concurrency, "_SLOW_SECONDS", PATIENCE)  # a busy machine is not a slow provider
    fake = Filling(40, lambda: streams_of(gateway.services).of(fake).concurrency.limit)
    use(gateway.services, fake, kind="sms")
    assert fake.limit() == START < fake.batch
    await gateway.queue(ada, 300)
    assert await asyncio.wait_for(drain("sms"), PATIENCE) == 300
    assert fake.most == fake.batch


async def test_one_slow_recipient_holds_up_nobody(gateway: Gateway, ada: Any, drain: Any) -> None:
    class OneHangs(Fake):
        async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
            if self.took:
                return [Outcome(Result.sent, str(message.id)) for message in batch]
            return await super().send(batch)

    use(gateway.services, fake := OneHangs(hangs=True, batch=2), kind="sms")
    await gateway.queue(ada, 50)
    draining = asyncio.create_task(drain("sms"))

    async def all_but_one() -> bool:
        return await gateway.count("messages WHERE state = 'sent'") == 49

    await until(all_but_one)
    fake.gate.set()
    assert await asyncio.wait_for(draining, PATIENCE) == 50


async def test_a_provider_that_says_too_fast_gets_less_at_once(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, fake := Slow(64, 0.01, answer=lambda _: Result.throttled), kind="sms")
    await gateway.queue(ada, 500)
    await drain("sms")
    stream = streams_of(gateway.services).of(fake)
    assert stream.concurrency.limit == FLOOR
    assert await gateway.states() == {"queued": 500}


async def test_the_streams_of_two_routes_do_not_wait_for_each_other(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, hanging := Fake(hangs=True), kind="sms")
    use(gateway.services, other := Fake(), kind="push")
    await gateway.queue(ada, 20)
    await gateway.queue(ada, 20, "push")
    draining = asyncio.create_task(drain("sms"))
    await until(lambda: len(hanging.took) == 10)
    assert await asyncio.wait_for(drain("push"), PATIENCE) == 20
    assert len(other.took) == 20
    hanging.gate.set()
    assert await asyncio.wait_for(draining, PATIENCE) == 20
