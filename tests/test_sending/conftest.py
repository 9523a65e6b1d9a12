import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.support.records import records

__all__ = ["records"]


@pytest.fixture
async def working(drain: Callable[[str], Awaitable[int]]) -> AsyncIterator[None]:
    """A worker that sends what is queued, until the test ends."""

    async def work() -> None:
        while True:
            for channel in ("sms", "email", "push"):
                await drain(channel)
            await asyncio.sleep(0.02)

    task = asyncio.create_task(work())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
