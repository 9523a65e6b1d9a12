"""Ending tasks for sure."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def end(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Says it again to who didn't hear: redis-py can lose a cancellation that comes while it reconnects."""
    left = asked = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.5)
    await asyncio.gather(*asked, return_exceptions=True)
