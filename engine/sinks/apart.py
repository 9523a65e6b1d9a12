"""A process that publishes to event sinks and does nothing else. While one runs, workers leave sinks to it.

Publishing takes some hundredths of a millisecond of processor time an event, which a worker's event loop lacks for
sending. Nothing has to be configured: the process has a lease, which workers ask for where they look for sinks anyway.
"""

import asyncio
from typing import Final

import structlog

from core.tasks import end
from engine.sinks.cursors import APART
from engine.sinks.rounds import Publishing
from runtime.leases import leased
from runtime.services import Services

log = structlog.get_logger("postern.sinks")

_AGAIN_SECONDS: Final = 2.0


class SinkWorker:
    """Publishes until `stop`. There may be several such processes; each sink is published to by one at a time."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def stop(self) -> None:
        """Ends `run` when the events that are on their way are acknowledged, or after three seconds."""
        self.services.stopping.set()

    async def run(self) -> None:
        """Publishes until `stop`."""
        await self.services.learn_time()
        log.info("publishing to event sinks")
        keeping = asyncio.create_task(self._keep_lease())
        try:
            while not self.services.stopping.is_set():
                await Publishing(self.services, apart=True).run()
        finally:
            await end((keeping,))

    async def _keep_lease(self) -> None:
        """Has the lease that workers look at, whenever no other such process has it."""
        while True:
            try:
                async with leased(
                    self.services.db, APART, float(self.services.settings.lease_seconds)
                ) as lease:
                    while lease is not None and lease.valid:  # noqa: ASYNC110  a lease has no event for its end
                        await asyncio.sleep(_AGAIN_SECONDS)
            except Exception as error:  # whatever an outage of the database raises; workers publish meanwhile
                log.info(
                    "the lease of sinks could not be taken", error=f"{type(error).__name__}: {error}"[:200]
                )
            await asyncio.sleep(_AGAIN_SECONDS)
