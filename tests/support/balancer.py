"""A balancer with health checks before some services, as in front of every deployment of more than one API process."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import aiohttp

from tests.support.waits import PATIENCE, until

CHECK_SECONDS = 0.2


class Balancer:
    """Chooses in turns among the services whose last check succeeded."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = list(urls)
        self.healthy: list[str] = []
        self.chosen = 0

    async def check(self) -> None:
        """Asks each service on a new connection, as balancers do."""
        timeout = aiohttp.ClientTimeout(total=2)
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(force_close=True), timeout=timeout
        ) as session:
            while True:
                self.healthy = [url for url in self._urls if await self._is_well(session, url)]
                await asyncio.sleep(CHECK_SECONDS)

    async def choose(self) -> str:
        """Returns the next service's URL."""
        await until(lambda: self.healthy)
        self.chosen += 1
        return self.healthy[self.chosen % len(self.healthy)]

    async def all_healthy(self) -> None:
        """Waits until every service answers; processes that start together on a busy machine take their time."""
        async with asyncio.timeout(3 * PATIENCE):
            while len(self.healthy) < len(self._urls):
                await asyncio.sleep(0.05)

    async def _is_well(self, session: aiohttp.ClientSession, url: str) -> bool:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with session.get(f"{url}/health") as answer:
                return answer.status == 200
        return False
