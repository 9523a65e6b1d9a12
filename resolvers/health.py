"""Health probes (contract §2). Each probe has a time limit, so it answers even if a server hangs."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg
import structlog

from core.errors import Unavailable
from core.logs import redact
from core.tasks import ignore_result
from db.session import Database
from engine.restore.fence import fence_of
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.health import Indicator, IndicatorStatus, Liveness, Readiness, ReadinessStatus

log = structlog.get_logger("postern.health")

BOUND = 1.0  # seconds that a probe may take
SLOW_MS = 500.0  # a slower probe makes the status degraded
_NO_CONNECTION = "busy: the server has no free connection"
_SLOW = f"busy: it answers this process, but no new connection within {BOUND:g} s"
_FENCED = "restored: it answers, and nothing is sent until `postern resume`"
_EXHAUSTED = "busy: requests wait for a connection of this process"


@operation(Permission.public, "read")
async def live(op: Op) -> Liveness:
    """Reports that the process is running. Raises Unavailable while the process drains."""
    if op.services.draining:
        raise Unavailable("This process is shutting down. Send the request to another one.", code="draining")
    return Liveness()


@operation(Permission.public, "read")
async def ready(op: Op) -> Readiness:
    """Reports the readiness of the process and of its dependencies.

    The database and the key-value storage are probed at the same time. The route is public and each probe opens a
    connection, so concurrent requests share one probe.
    """
    return await op.services.single(_SharedProbe, lambda: _SharedProbe(op.services)).result()


class _SharedProbe:
    """The last probe of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._task: asyncio.Task[Readiness] | None = None

    async def result(self) -> Readiness:
        """Waits for the probe that is under way, or for a new one."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(_look(self._services))
        return await asyncio.shield(self._task)


async def _look(services: Services) -> Readiness:
    database, storage = await asyncio.gather(
        _probe_database(services.db), _probe("redis-storage", services.store.probe)
    )
    with suppress(Exception):  # it was up a moment ago
        async with asyncio.timeout(BOUND):
            if database.status is IndicatorStatus.up and await fence_of(services).is_raised():
                database.message = _FENCED
    details = {"database": database, "redis-storage": storage}
    down = {
        name: indicator for name, indicator in details.items() if indicator.status is IndicatorStatus.down
    }
    # An indicator that is up has a message only if its server is busy, or was restored.
    slow = any((indicator.latency_ms or 0) > SLOW_MS or indicator.message for indicator in details.values())
    return Readiness(
        status=ReadinessStatus.error if down else ReadinessStatus.degraded if slow else ReadinessStatus.ok,
        info={name: indicator for name, indicator in details.items() if name not in down},
        error=down,
        details=details,
    )


async def _probe_database(db: Database) -> Indicator:
    """Probes the database. A busy one is up, and says so: it has no free connection for the probe, or does not come to
    it within the bound, but has answered a statement of this process meanwhile.
    """
    begun, exhausted = time.monotonic(), db.exhausted
    busy = False

    async def probe() -> None:
        nonlocal busy
        try:
            await db.probe()
        except asyncpg.TooManyConnectionsError:
            busy = True

    indicator = await _probe("database", probe)
    latency = round((time.monotonic() - begun) * 1000, 2)
    if busy:
        return Indicator(status=IndicatorStatus.up, message=_NO_CONNECTION, latency_ms=latency)
    if indicator.status is IndicatorStatus.down and latency >= BOUND * 1000 and db.answered_at > begun:
        return Indicator(status=IndicatorStatus.up, message=_SLOW, latency_ms=latency)
    if indicator.status is IndicatorStatus.up and exhausted and db.exhausted:
        indicator.message = _EXHAUSTED
    return indicator


async def _awaited(probe: Callable[[], Awaitable[None]]) -> None:
    await probe()


async def _probe(name: str, probe: Callable[[], Awaitable[None]]) -> Indicator:
    begun = time.perf_counter()
    try:
        # The probe is a task of its own, so that the answer comes in time even if the probe ignores its cancellation.
        task = ignore_result(asyncio.create_task(_awaited(probe)))
        done, _ = await asyncio.wait([task], timeout=BOUND)
        if done:
            task.result()
        else:
            task.cancel()
            return Indicator(status=IndicatorStatus.down, message=f"no answer within {BOUND:g} s")
    except Exception as error:  # the clients of an unreachable server raise many types
        # The route is public: the server's error text (with its address, users, version) goes only to the log.
        log.warning("a probe failed", probe=name, error=redact(str(error) or type(error).__name__)[:200])
        return Indicator(status=IndicatorStatus.down, message="it refuses, or can't be reached; see the log")
    return Indicator(status=IndicatorStatus.up, latency_ms=round((time.perf_counter() - begun) * 1000, 2))
