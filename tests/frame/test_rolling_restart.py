"""Two API processes behind a balancer with health checks are restarted in turns, and no request is lost.

`ROLLING_REQUESTS=20000 python -m pytest tests/frame/test_rolling_restart.py` sends more requests than the suite does.
"""

import asyncio
import os
from collections import Counter
from contextlib import suppress

import aiohttp
import pytest

from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, until

REQUESTS = int(os.environ.get("ROLLING_REQUESTS", "1000"))
CLIENTS = 20
CHECK_SECONDS = 0.2


class Balancer:
    """Sends requests to the services whose last check succeeded, in turns, and repeats none that failed."""

    def __init__(self, services: tuple[Live, ...]) -> None:
        self._urls = [f"http://127.0.0.1:{live.port}" for live in services]
        self.healthy = list(self._urls)
        self.sent = 0
        self.outcomes: Counter[str] = Counter()

    async def check(self) -> None:
        """Asks each service on a new connection, as balancers do."""
        timeout = aiohttp.ClientTimeout(total=2)
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(force_close=True), timeout=timeout
        ) as session:
            while True:
                self.healthy = [url for url in self._urls if await self._is_well(session, url)]
                await asyncio.sleep(CHECK_SECONDS)

    async def _is_well(self, session: aiohttp.ClientSession, url: str) -> bool:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with session.get(f"{url}/health") as answer:
                return answer.status == 200
        return False

    async def client(self, *, keep_alive: bool, done: asyncio.Event) -> None:
        """Sends one request after the other. A POST: the library repeats a GET whose kept connection was closed."""
        connector = aiohttp.TCPConnector(force_close=not keep_alive)
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            while not done.is_set():
                await until(lambda: self.healthy)
                self.sent += 1
                url = self.healthy[self.sent % len(self.healthy)]
                try:
                    async with session.post(f"{url}/auth/login", json={}) as answer:
                        await answer.read()
                        self.outcomes[str(answer.status)] += 1
                except (aiohttp.ClientError, TimeoutError) as error:
                    self.outcomes[repr(error)] += 1


async def restart_in_turns(services: tuple[Live, ...]) -> Balancer:
    """Restarts each service at least once, and goes on until so many requests were sent."""
    balancer, done = Balancer(services), asyncio.Event()
    checking = asyncio.create_task(balancer.check())
    clients = [
        asyncio.create_task(balancer.client(keep_alive=number % 2 == 0, done=done))
        for number in range(CLIENTS)
    ]
    restarts = 0
    while restarts < len(services) or balancer.sent < REQUESTS:
        await asyncio.to_thread(services[restarts % len(services)].restart)
        restarts += 1
        await until(lambda: len(balancer.healthy) == len(services))
    done.set()
    await asyncio.gather(*clients)
    checking.cancel()
    print(f"\n{balancer.sent} requests, {restarts} restarts: {dict(balancer.outcomes)}")
    return balancer


@pytest.mark.alone
def test_a_rolling_restart_loses_no_request() -> None:
    with (
        serving(POSTERN_DRAIN_SECONDS="4") as first,
        serving(POSTERN_DRAIN_SECONDS="4") as second,
    ):
        balancer = asyncio.run(restart_in_turns((first, second)))
    assert balancer.outcomes == {"400": balancer.sent}  # the answer to a login without a password
