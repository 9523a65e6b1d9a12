"""Retries the storage of what a provider did, for as long as the database is away."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TypeVar

import asyncpg
import structlog

from db.session import Database
from runtime.database_errors import translate

T = TypeVar("T")
log = structlog.get_logger("postern.engine")

_PASSING = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.CONFLICT)


async def insist(db: Database, call: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
    """Calls `call` until the database is back. Raises errors that waiting can't fix."""
    pause = 0.1
    while True:
        try:
            async with db.reading() as connection:
                return await call(connection)
        except Exception as error:
            known = translate(error)
            if known is None or known.status not in _PASSING:
                raise
            log.warning("waiting for the database", error=str(error)[:200])
        await asyncio.sleep(pause)
        pause = min(pause * 2, 2.0)
