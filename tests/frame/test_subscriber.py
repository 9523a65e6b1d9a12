"""A subscription to Redis: what is published arrives, and it begins anew when Redis was away."""

import asyncio
import os
import signal

import pytest

from core import subscriber
from core.store import Store
from core.subscriber import Subscriber
from tests.support.waits import PATIENCE, freeze, until

pytestmark = pytest.mark.servers


@pytest.fixture
async def store(redis):
    made = Store(redis.url)
    yield made
    await made.close()


class Log:
    """Records the calls that a subscriber made."""

    def __init__(self, store: Store, *channels: bytes) -> None:
        self.messages: list[tuple[bytes, bytes]] = []
        self.subscribed: list[bytes] = []
        self.lost = 0
        self.subscriber: Subscriber[bytes] = Subscriber(
            store.client,
            self.on_message,
            channels=channels,
            on_subscribed=self.subscribed.append,
            on_lost=self.on_lost,
        )

    def on_message(self, channel: bytes, data: bytes) -> None:
        if data == b"bug":
            raise ValueError("a bug")
        self.messages.append((channel, data))

    def on_lost(self) -> None:
        self.lost += 1

    async def confirmed(self, *channels: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.subscriber.confirmed(*channels)


async def test_it_begins_anew_when_redis_was_away(store, redis):
    log = Log(store, b"a")
    log.subscriber.open()
    await log.confirmed()
    await store.client.publish("a", "1")
    await until(lambda: log.messages == [(b"a", b"1")])
    redis.stop()
    await until(lambda: log.lost)
    await log.subscriber.subscribe(b"b")  # waits for Redis
    redis.start()
    await log.confirmed(b"a", b"b")
    assert log.subscribed[0] == b"a"
    assert {*log.subscribed[1:]} == {b"a", b"b"}  # who may have missed something is told so
    await store.client.publish("a", "2")
    await store.client.publish("b", "3")
    await until(lambda: log.messages[1:] == [(b"a", b"2"), (b"b", b"3")])
    await log.subscriber.close()
    await until(lambda: nobody(store))


async def nobody(store: Store) -> bool:
    return not await store.client.client_list(_type="pubsub")


async def test_a_redis_that_is_away_at_the_start_is_waited_for(store, redis):
    redis.stop()
    log = Log(store, b"a")
    log.subscriber.open()
    await until(lambda: log.lost > 1)
    redis.start()
    await log.confirmed()
    await log.subscriber.close()


async def test_a_redis_that_hangs_is_given_up(store, redis, monkeypatch):
    monkeypatch.setattr(subscriber, "_PING_SECONDS", 0.2)
    log = Log(store, b"a")
    log.subscriber.open()
    await log.confirmed()
    freeze(redis.pid)
    await until(lambda: log.lost)
    os.kill(redis.pid, signal.SIGCONT)
    await log.confirmed()
    await log.subscriber.close()


async def test_a_bug_of_the_receiver_ends_nothing_and_is_logged_once(store, capfd):
    log = Log(store, b"a")
    log.subscriber.open()
    await log.confirmed()
    for data in ("bug", "bug", "1"):
        await store.client.publish("a", data)
    await until(lambda: log.messages == [(b"a", b"1")])
    await log.subscriber.close()
    assert log.lost == 1  # by `close`
    assert capfd.readouterr().err.count("a message of Redis can't be read") == 1


async def test_channels_come_and_go_on_one_connection(store):
    log = Log(store, b"a")
    log.subscriber.open()
    await log.confirmed()
    await log.subscriber.subscribe(b"b")
    await log.confirmed(b"b")
    await log.subscriber.unsubscribe(b"a")
    await until(lambda: only_b(store))
    assert len(await store.client.client_list(_type="pubsub")) == 1
    assert log.subscribed == [b"a", b"b"]
    await log.subscriber.close()


async def only_b(store: Store) -> bool:
    return [count for _, count in await store.client.pubsub_numsub("a", "b")] == [0, 1]
