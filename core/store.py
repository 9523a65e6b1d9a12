"""Redis, which may be unreachable: caches and rate limits work without it, the key-value module answers 503."""

import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import redis.asyncio as redis
import structlog
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import OutOfMemoryError, RedisError

from core.keepalive import KEEPALIVE

T = TypeVar("T")
log = structlog.get_logger("postern.store")

DOWN = (RedisError, OSError, TimeoutError)
"""The errors of a command if the server is unreachable, does not answer, or refuses."""

_FULL = re.compile(
    r"\b(OOM|MISCONF)\b"
)  # a script's error has the code of the command that failed in its text
_FULL_REPORTED = 60.0  # seconds between two log lines about a full server
_PAUSE = 0.5  # seconds without a new try after a refused connection
_HUNG = 5.0  # the same after no answer: each try delays a request by a second


def is_full(error: BaseException) -> bool:
    """Returns whether Redis refuses to write since its memory (`maxmemory`) or the disk of its files is full.

    It answers MISCONF, too, if it can't write its files for another reason (Redis, `stop-writes-on-bgsave-error`).
    """
    return isinstance(error, OutOfMemoryError) or (
        isinstance(error, RedisError) and _FULL.search(str(error)) is not None
    )


def watched(url: str) -> dict[str, Any]:
    """Returns options of a connection pool that detect a connection with a dead peer within 10 s."""
    if url.startswith("unix:"):
        return {}
    return {"socket_keepalive": True, "socket_keepalive_options": KEEPALIVE}


class Store:
    """One client a process. `attempt` is for work that can do without Redis; `client` is for work that can't."""

    def __init__(self, url: str) -> None:
        # If all connections are in use, callers wait for one: a burst must not look like an unreachable server.
        pool = redis.BlockingConnectionPool.from_url(
            url,
            socket_connect_timeout=0.5,
            socket_timeout=1.0,
            # One retry, for a connection that a restarted server has closed; none for a server that does not answer.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
            max_connections=100,
            timeout=2.0,
            health_check_interval=0,
            **watched(url),
        )
        self.client = redis.Redis.from_pool(pool)
        self._broken_until = 0.0
        self._reported_down = False
        self._full_reported_at = -_FULL_REPORTED

    async def attempt(self, call: Callable[["redis.Redis"], Awaitable[T]], otherwise: T) -> T:
        """Returns the result of `call`, or `otherwise` while Redis is unreachable, or too full for it."""
        if time.monotonic() < self._broken_until:
            return otherwise
        try:
            answer = await call(self.client)
        except DOWN as error:
            if is_full(error):  # it still reads
                self._report_full(error)
                return otherwise
            hung = isinstance(error, TimeoutError | redis.TimeoutError)
            self._broken_until = time.monotonic() + (_HUNG if hung else _PAUSE)
            if not self._reported_down:
                self._reported_down = True
                log.warning("redis is away; caches and shared limits are off", error=str(error))
            return otherwise
        if self._reported_down:
            self._reported_down = False
            log.info("redis is back")
        return answer

    def _report_full(self, error: BaseException) -> None:
        now = time.monotonic()
        if now - self._full_reported_at >= _FULL_REPORTED:
            self._full_reported_at = now
            log.warning("redis is full; it keeps no caches and no shared limits", error=str(error))

    def script(self, source: str) -> Any:
        """Registers a Lua script."""
        return self.client.register_script(source)

    async def probe(self) -> None:
        """Raises an error if Redis does not answer."""
        await cast(Awaitable[Any], self.client.ping())

    async def close(self) -> None:
        """Closes all connections."""
        await self.client.aclose()
