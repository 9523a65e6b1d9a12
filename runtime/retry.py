"""Runs work again after a passing error of the database: it was away or busy, or a transaction lost against another."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeVar

import asyncpg
import structlog
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_after_delay,
    stop_never,
    wait_random_exponential,
)

from core.clock import CLOCK
from core.errors import Unavailable
from db.session import Database
from runtime.database_errors import retryable, translate

T = TypeVar("T")
log = structlog.get_logger("postern.retry")

_FIRST_PAUSE = 0.1  # seconds; each further pause may be twice as long, and all are random (full jitter)


def passing(error: BaseException) -> bool:
    """Returns whether the same work may succeed later: the database is away or busy, or a transaction lost."""
    if isinstance(error, Unavailable):
        return True
    translated = translate(error) if isinstance(error, Exception) else None
    return translated is not None and translated.status in (
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.CONFLICT,
    )


def away(error: BaseException) -> bool:
    """Returns whether the database can't be reached or is too busy."""
    return isinstance(error, Unavailable) or (
        isinstance(error, Exception) and isinstance(translate(error), Unavailable)
    )


async def until_done(
    work: Callable[[], Awaitable[T]],
    *,
    seconds: float | None = None,
    longest_pause: float = 2.0,
    passes: Callable[[BaseException], bool] = passing,
) -> T:
    """Runs `work` until it succeeds, with growing pauses between its tries.

    Raises errors that do not pass at once, and the last one after `seconds` (None: never).
    """
    begun = CLOCK.monotonic()
    try:
        return await work()  # nearly always the only try, so that it costs no retry machinery
    except Exception as error:
        left = None if seconds is None else seconds - (CLOCK.monotonic() - begun)
        if not passes(error) or (left is not None and left <= 0):
            raise
        log.warning("waiting for the database", error=error, tries=1)
    await asyncio.sleep(random.uniform(0, _FIRST_PAUSE))
    retrying = AsyncRetrying(
        retry=retry_if_exception(passes),
        wait=wait_random_exponential(2 * _FIRST_PAUSE, longest_pause),
        stop=stop_never if left is None else stop_after_delay(left),
        before_sleep=_log,
        reraise=True,
    )
    return await retrying(_awaited, work)


async def until_stored(db: Database, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
    """Runs `work` on a connection until it succeeds, for an event of a provider that it would not report again."""

    async def once() -> T:
        async with db.reading() as connection:
            return await work(connection)

    return await until_done(once)


async def despite_conflicts(work: Callable[[], Awaitable[T]], tries: int = 3, *, or_locks: bool = False) -> T:
    """Runs a transaction again that failed by a deadlock or a serialization failure, or with `or_locks` by a lock that
    it did not wait for; `tries` counts the first too.
    """

    def passes(error: BaseException) -> bool:
        return retryable(error) or (or_locks and isinstance(error, asyncpg.LockNotAvailableError))

    try:
        return await work()  # nearly always the only try, so that it costs no retry machinery
    except Exception as error:
        if not passes(error):
            raise
    await asyncio.sleep(random.uniform(0, 0.02))
    retrying = AsyncRetrying(
        retry=retry_if_exception(passes),
        wait=wait_random_exponential(0.02, 0.1),
        stop=stop_after_attempt(tries - 1),
        reraise=True,
    )
    return await retrying(_awaited, work)


async def _awaited(work: Callable[[], Awaitable[T]]) -> T:
    """Makes a coroutine function of any callable: tenacity does not await what a lambda returns."""
    return await work()


def _log(state: RetryCallState) -> None:
    error: Any = state.outcome.exception() if state.outcome else None
    # Thousands of accounts may wait at once: each warns of its first try alone.
    log.debug("waiting for the database", error=error, tries=state.attempt_number + 1)
