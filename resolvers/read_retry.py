"""Reads for live updates: they wait while the database is unreachable, so that subscriptions stay open."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from runtime.database_errors import translate
from runtime.retry import away, until_done

T = TypeVar("T")

_LONGEST_PAUSE = 5.0  # seconds between two tries while the database is unreachable


async def retry_read(read: Callable[[], Awaitable[T]]) -> T:
    """Returns the result of `read`, and retries for as long as the database is unreachable.

    Raises every other error, translated to an AppError where that is possible.
    """
    try:
        return await until_done(read, longest_pause=_LONGEST_PAUSE, passes=away)
    except Exception as error:
        translated = translate(error)
        if translated is None:
            raise
        raise translated from error
