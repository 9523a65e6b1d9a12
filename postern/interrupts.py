"""Keeps a Ctrl-C that something between asyncio and us has turned into another error, or has swallowed."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Runs it. Raises CancelledError, which asyncio takes for the Ctrl-C, instead of an error that a Ctrl-C has led to.

    SQLAlchemy raises such an error for a transaction that was broken off.
    """
    try:
        return await work
    except Exception as error:
        if _is_interrupted():
            raise asyncio.CancelledError from error
        raise


def end_if_interrupted() -> None:
    """Raises CancelledError after a Ctrl-C whose CancelledError a client library has swallowed.

    redis-py and asyncpg can do that on Python 3.11, and the start would go on as if nothing had been pressed.
    """
    if _is_interrupted():
        raise asyncio.CancelledError


def _is_interrupted() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
