"""A task that nobody waits for any more ends without "Task exception was never retrieved" in the log."""

import asyncio
import gc
from types import SimpleNamespace
from uuid import uuid4

import pytest

from core.tasks import nobody_waits
from db.connection_cache import ConnectionCache
from engine.dispatch import Dispatcher
from resolvers import health


@pytest.fixture
async def complaints():
    """What asyncio would have logged, after everything that can be collected was."""
    loop, said = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: said.append(context["message"]))

    async def logged() -> list[str]:
        for _ in range(5):
            await asyncio.sleep(0.02)
            gc.collect()
        return said

    yield logged
    loop.set_exception_handler(None)


async def _deaf(until: asyncio.Event) -> None:
    """Like redis-py, which can lose a cancellation while it reconnects, and fails later on."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        await until.wait()
        raise ConnectionError("nobody is there") from None


async def test_a_task_that_nobody_waits_for(complaints):
    async def fail() -> None:
        raise ConnectionError

    nobody_waits(asyncio.create_task(fail()))
    cancelled = nobody_waits(asyncio.create_task(asyncio.sleep(60)))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert await complaints() == []
    asyncio.create_task(fail())  # noqa: RUF006  so that the fixture is known to hear it
    assert await complaints() == ["Task exception was never retrieved"]


async def test_a_probe_that_does_not_heed_its_cancellation(complaints, monkeypatch):
    monkeypatch.setattr(health, "BOUND", 0.05)
    until = asyncio.Event()
    found = await health._probe("redis-storage", lambda: _deaf(until))
    assert found.status == "down"
    until.set()
    assert await complaints() == []


async def test_a_connection_that_the_pool_does_not_take_back(complaints):
    class Pool:
        async def release(self, connection: object) -> None:
            raise ConnectionResetError

    cache = ConnectionCache(Pool(), 1, 1.0)
    cache._leave(object())
    assert await complaints() == []
    await cache.close()


async def test_hand_overs_that_fail_together(complaints):
    """The database is away while a batch's files are read: one reason breaks the batch off, the others are not told."""
    dispatcher = object.__new__(Dispatcher)
    dispatcher.stopping = asyncio.Event()
    dispatcher._fits = lambda item, route: True

    async def in_time(claim, chosen):
        return chosen

    async def marked(claim, route, chosen):
        return chosen

    async def fail(route, part):
        raise ConnectionError(part[0])

    async def give_back(items):
        pass

    dispatcher._in_time, dispatcher._record_intents, dispatcher._send = in_time, marked, fail
    dispatcher._breakers = SimpleNamespace(all_closed=True, give_back=give_back)
    route = SimpleNamespace(batch=2)
    with pytest.raises(ConnectionError):
        await dispatcher._through(uuid4(), route, ["one", "two"], asyncio.Event(), last=True)
    assert await complaints() == []
