"""Reads for live updates: they wait while the database is unreachable, so that subscriptions stay open."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from core.errors import Unavailable
from runtime.database_errors import translate

T = TypeVar("T")
log = structlog.get_logger("postern.live")

_LONGEST_PAUSE = 5.0  # seconds between two attempts while the database is unreachable


async def patiently(read: Callable[[], Awaitable[T]]) -> T:
    """Returns the result of `read`, and retries for as long as the database is unreachable.

    Raises every other error, translated to an AppError where that is possible.
    """
    pause = 0.1
    while True:
        try:
            return await read()
        except Exception as error:
            known = translate(error)
            if not isinstance(known or error, Unavailable):
                if known is None:
                    raise
                raise known from error
            log.debug("live updates wait for the database", error=str(error)[:200])
        await asyncio.sleep(random.uniform(pause / 2, pause))
        pause = min(pause * 2, _LONGEST_PAUSE)
