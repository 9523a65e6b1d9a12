"""Ends asyncio tasks reliably."""

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def end(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Cancels tasks until all have ended. Repeats it, as redis-py can lose a cancellation while it reconnects."""
    left = asked = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.5)
    await asyncio.gather(*asked, return_exceptions=True)


async def surely(work: Coroutine[Any, Any, None]) -> None:
    """Runs `work` to its end even if this task is cancelled: it is short, and releases something that others wait
    for.
    """
    task = asyncio.create_task(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    task.result()


def ignore_result(task: "asyncio.Task[T]") -> "asyncio.Task[T]":
    """Marks a task whose result may be unused, because it comes too late or another task has failed first.

    asyncio would log "Task exception was never retrieved" for it, with a traceback that is of no use.
    """
    task.add_done_callback(_retrieve_exception)
    return task


def _retrieve_exception(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled():
        task.exception()
