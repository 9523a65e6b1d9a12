"""Announcements through a real Redis: what is said is heard, bounded, and after an outage the gap is told."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack, suppress

import pytest

from core import pubsub, subscriber
from core.pubsub import GAP, listening, publish
from core.store import Store
from core.subscriber import Subscriber
from postern.embedded import EmbeddedRedis
from tests.support.waits import PATIENCE, freeze, until

pytestmark = pytest.mark.servers


@pytest.fixture
def redis(tmp_path):
    with EmbeddedRedis(tmp_path / "own") as server:
        yield server


@pytest.fixture
async def stores(redis):
    """Yields the stores of two processes."""
    made = [Store(redis.url), Store(redis.url)]
    yield made
    for store in made:
        await store.close()
    assert not pubsub._HUBS


@pytest.fixture
def sure(monkeypatch):
    """Makes listeners wait for Redis's confirmation as long as the machine needs; otherwise they first hear a gap."""
    monkeypatch.setattr(pubsub, "_CONFIRM_SECONDS", PATIENCE)


async def heard(listener):
    async with asyncio.timeout(PATIENCE):
        return await anext(listener)


@pytest.mark.usefixtures("sure")
async def test_what_is_said_is_heard_by_all_who_listen(stores):
    here, there = stores
    async with (
        listening(here, "a") as first,
        listening(here, "a", "b") as second,
        listening(there, "b") as third,
    ):
        await publish(there, "a", {"n": 1})
        await publish(here, "b", {"n": 2})
        assert await heard(first) == {"n": 1}
        assert [await heard(second), await heard(second)] == [{"n": 1}, {"n": 2}]
        assert await heard(third) == {"n": 2}
    async with listening(here, "a") as again:  # nothing of before
        await publish(there, "a", {"n": 3})
        assert await heard(again) == {"n": 3}


@pytest.mark.usefixtures("sure")
async def test_one_connection_however_many_listen(stores):
    here, there = stores
    async with AsyncExitStack() as stack:
        listeners = [await stack.enter_async_context(listening(here, f"t{n % 7}")) for n in range(150)]
        clients = await there.client.client_list(_type="pubsub")
        assert len(clients) == 1
        for n in range(7):
            await publish(there, f"t{n}", {"n": n})
        assert [await heard(listener) for listener in listeners] == [{"n": n % 7} for n in range(150)]
        await stack.enter_async_context(listening(here, "t0"))
    await until(lambda: _nobody(there))


async def _nobody(store):
    return not await store.client.client_list(_type="pubsub")


@pytest.mark.usefixtures("sure")
async def test_who_is_slow_loses_the_oldest_and_is_told(stores):
    here, there = stores
    async with listening(here, "a") as slow:
        for n in range(pubsub._MOST_WAITING + 10):
            await publish(there, "a", {"n": n})
        await publish(there, "a", {"n": "last"})
        await until(lambda: {"n": "last"} in slow._queue)  # all have come, and nobody has read one
        messages = []
        while not messages or messages[-1] != {"n": "last"}:
            messages.append(await heard(slow))
        assert GAP in messages
        assert len(messages) <= pubsub._MOST_WAITING


async def test_a_connection_that_breaks_is_made_anew_and_the_gap_told(stores):
    here, there = stores
    async with listening(here, "a", "b") as listener:
        await there.client.client_kill_filter(_type="pubsub")
        assert await heard(listener) == GAP
        assert await heard(listener) == GAP  # of each topic
        await publish(there, "a", {"n": 1})
        assert await heard(listener) == {"n": 1}


async def test_with_redis_away_nothing_fails(stores, redis):
    here, there = stores
    redis.stop()
    await publish(there, "a", {"n": 1})
    async with listening(here, "a") as listener:
        redis.start()
        assert await heard(listener) == GAP
        await until(lambda: _says(there))
        while (what := await heard(listener)) == GAP:
            pass
        assert what == {"n": 2}


async def _says(store):
    """Publishes `{"n": 2}`; Redis is not asked for a moment after a failure, so this may return None."""
    return await store.attempt(lambda client: client.publish("announced:a", b'{"n": 2}'), None)


async def test_a_redis_that_hangs_is_found_out(stores, redis, monkeypatch):
    monkeypatch.setattr(subscriber, "_PING_SECONDS", 0.3)
    here, there = stores
    async with listening(here, "a") as listener:
        freeze(redis.pid)
        async with asyncio.timeout(PATIENCE):
            await publish(there, "a", {"n": 1})
            async with listening(here, "b"):
                pass
        os.kill(redis.pid, signal.SIGCONT)
        assert await heard(listener) in (GAP, {"n": 1})


@pytest.mark.parametrize("what", [b"x", b"7", b"", b"\xff"], ids=repr)
@pytest.mark.usefixtures("sure")
async def test_what_can_t_be_read_is_a_gap_and_not_the_end(stores, what, capfd):
    here, there = stores
    async with listening(here, "a") as listener, listening(here, "b") as other:
        for _ in range(3):
            await there.client.publish("announced:a", what)
        await publish(there, "a", {"n": 1})
        await publish(there, "b", {"n": 2})
        assert [await heard(listener) for _ in range(4)] == [GAP] * 3 + [{"n": 1}]
        assert await heard(other) == {"n": 2}
    assert capfd.readouterr().err.count("a message of Redis can't be read") == 1


@pytest.mark.parametrize("where", ["_handle", "_listen"])
async def test_a_bug_is_not_the_end_either(stores, monkeypatch, capfd, where):
    here, there = stores
    real, failed = getattr(Subscriber, where), []

    async def broken(self, *arguments):
        if len(failed) < 2:
            failed.append(1)
            raise RuntimeError("a bug")
        await real(self, *arguments)

    monkeypatch.setattr(Subscriber, where, broken)
    async with listening(here, "a") as listener:

        async def hears():
            await publish(there, "a", {"n": 1})
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    return await anext(listener) == {"n": 1}

        await until(hears)
    assert len(failed) == 2
    assert "a bug" in capfd.readouterr().err


@pytest.mark.usefixtures("sure")
async def test_who_asks_again_after_a_cancellation_misses_nothing(stores):
    here, there = stores
    async with listening(here, "a") as listener:
        for n in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await anext(listener)
            await publish(there, "a", {"n": n})
            assert await heard(listener) == {"n": n}


@pytest.mark.parametrize("what", [{"n": 2**70}, {"n": "x" * 300_000}], ids=["no json", "too large"])
async def test_what_can_t_be_announced_is_logged_and_not_raised(stores, what, capfd):
    here, there = stores
    async with listening(here, "a") as listener:
        await publish(there, "a", what)
        await publish(there, "a", {"n": 1})
        assert await heard(listener) == {"n": 1}
    assert "not announced" in capfd.readouterr().err
