"""`python -m bench.without NAME serve …` is the command line with one shortcut replaced by the plain way.

`bench/shortcuts.py` runs such a process beside an unchanged one.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncpg

from core.rate_limits import Limit, Limiter, RateStatus


def routes() -> None:
    """FastAPI handles every request (instead of runtime/fast)."""
    os.environ["POSTERN_FAST_ROUTES"] = "false"


def connections() -> None:
    """Each read takes a connection from asyncpg's pool and releases it (instead of db/connection_cache.py)."""
    from db import session

    session.ConnectionCache = Pooled  # type: ignore[misc,assignment]


class Pooled:
    """The interface of the connection cache, without a cache."""

    at_work = 0

    def __init__(self, pool: asyncpg.Pool, size: int, timeout: float) -> None:
        self._pool, self._timeout = pool, timeout

    async def acquire(self) -> Any:
        return await self._pool.acquire(timeout=self._timeout)

    def give_back(self, connection: Any) -> bool:
        return False

    async def drop(self, connection: Any) -> None:
        await self._pool.release(connection)

    async def end(self, connection: Any) -> None:
        with suppress(asyncpg.InterfaceError):
            connection.terminate()
        await self.drop(connection)

    async def close(self) -> None:
        pass


def viewers() -> None:
    """Each request asks Redis who is calling (instead of core/local_cache.py)."""
    from core.local_cache import LocalCache

    LocalCache.get = lambda self, key: None  # type: ignore[method-assign]


def points() -> None:
    """Each query takes its points from Redis and gives the rest back there (instead of core/budget.py's leases)."""
    from runtime import services

    services.Budget = Unleased  # type: ignore[misc,assignment]


class Unleased:
    """The interface of the budget, without leases."""

    def __init__(self, limiter: Limiter, limit: Limit) -> None:
        self._limiter, self.limit, self._left = limiter, limit, limit.count

    def spend(self, key: str, points: int) -> bool:
        return False

    async def take(self, key: str, points: int) -> RateStatus:
        drawn = await self._limiter.draw(self.limit, key, points, points)
        self._left = drawn.remaining
        return RateStatus(drawn.taken > 0, self.limit.count, drawn.remaining, drawn.reset, drawn.retry_after)

    async def give(self, key: str, points: int) -> None:
        if points:
            await self._limiter.draw(self.limit, key, 0, 0, points)

    def remaining(self, key: str) -> int:
        return self._left


def audit() -> None:
    """No transaction says who is calling, so the triggers write no entry (instead of runtime/audit.py)."""
    from contextlib import nullcontext

    from runtime import audit

    async def scope(*_: Any) -> Any:
        return nullcontext()

    audit.scope = scope


def hashes() -> None:
    """No message asks whether its address is that of an erased person (instead of engine/address_hashes.py)."""
    from engine import blocks

    blocks.IS_ERASED = "false"
    assert "engine.direct.new_messages" not in sys.modules  # whose statements have the condition

    from engine.address_hashes import AddressHasher

    AddressHasher.hash = lambda self, address: None  # type: ignore[method-assign]


REPLACED: dict[str, Callable[[], None]] = {
    "routes": routes,
    "connections": connections,
    "viewers": viewers,
    "points": points,
    "audit": audit,
    "hashes": hashes,
}

if __name__ == "__main__":
    REPLACED[sys.argv.pop(1)]()
    from postern.cli import app

    app()
