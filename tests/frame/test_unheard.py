"""A task that nobody waits for any more ends without "Task exception was never retrieved" in the log."""

import asyncio
import gc

import pytest

from core.tasks import ignore_result
from db.connection_cache import ConnectionCache
from resolvers import health


@pytest.fixture
async def complaints():
    """Yields a function that returns what asyncio would have logged, after the garbage is collected."""
    loop, messages = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: messages.append(context["message"]))

    async def logged() -> list[str]:
        for _ in range(5):
            await asyncio.sleep(0.02)
            gc.collect()
        return messages

    yield logged
    loop.set_exception_handler(None)


async def _deaf(until: asyncio.Event) -> None:
    """Behaves like redis-py, which can lose a cancellation while it reconnects, and fails later."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        await until.wait()
        raise ConnectionError("nobody is there") from None


async def test_a_task_that_nobody_waits_for(complaints):
    async def fail() -> None:
        raise ConnectionError

    ignore_result(asyncio.create_task(fail()))
    cancelled = ignore_result(asyncio.create_task(asyncio.sleep(60)))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert await complaints() == []
    asyncio.create_task(fail())  # noqa: RUF006  so that the fixture is known to hear it
    assert await complaints() == ["Task exception was never retrieved"]


async def test_a_probe_that_does_not_heed_its_cancellation(complaints, monkeypatch):
    monkeypatch.setattr(health, "BOUND", 0.05)
    until = asyncio.Event()
    status = await health._probe("redis-storage", lambda: _deaf(until))
    assert status.status == "down"
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
