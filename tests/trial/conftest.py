import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.sending_projects.conftest import projects
from tests.support.records import records

__all__ = ["projects", "records"]


@pytest.fixture
async def working(drain: Callable[[str], Awaitable[int]]) -> AsyncIterator[None]:
    """A worker that sends what is queued, until the test ends."""

    over = asyncio.Event()

    async def work() -> None:
        while not over.is_set():
            for channel in ("sms", "email", "push", "telegram", "whatsapp"):
                await drain(channel)
            await asyncio.sleep(0.02)

    task = asyncio.create_task(work())
    yield
    over.set()  # not cancelled: what it asks of the servers might swallow that
    await asyncio.gather(task, return_exceptions=True)
