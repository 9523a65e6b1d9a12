"""Ending tasks for sure."""

import asyncio
from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def end(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Says it again to who didn't hear: redis-py can lose a cancellation that comes while it reconnects."""
    left = asked = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.5)
    await asyncio.gather(*asked, return_exceptions=True)


def nobody_waits(task: "asyncio.Task[T]") -> "asyncio.Task[T]":
    """Of a task whose outcome may be of no use when it comes: it ended too late, or another one's failure came first.

    asyncio would log "Task exception was never retrieved" for it, with a traceback that tells nothing new.
    """
    task.add_done_callback(_heard)
    return task


def _heard(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled():
        task.exception()
