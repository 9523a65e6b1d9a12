"""Two API processes behind a balancer with health checks are restarted in turns, and no request is lost.

`ROLLING_REQUESTS=20000 python -m pytest tests/frame/test_rolling_restart.py` sends more requests than the suite does.
"""

import asyncio
import os
from collections import Counter

import aiohttp
import pytest

from tests.support.balancer import Balancer
from tests.support.live import Live, serving
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

REQUESTS = int(os.environ.get("ROLLING_REQUESTS", "1000"))
CLIENTS = 20


class Clients:
    """Sends requests through a balancer, and repeats none that failed."""

    def __init__(self, balancer: Balancer) -> None:
        self._balancer = balancer
        self.sent = 0
        self.outcomes: Counter[str] = Counter()

    async def client(self, *, keep_alive: bool, done: asyncio.Event) -> None:
        """Sends one request after the other. A POST: the library repeats a GET whose kept connection was closed."""
        connector = aiohttp.TCPConnector(force_close=not keep_alive)
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            while not done.is_set():
                url = await self._balancer.choose()
                self.sent += 1
                try:
                    async with session.post(f"{url}/auth/login", json={}) as answer:
                        await answer.read()
                        self.outcomes[str(answer.status)] += 1
                except (aiohttp.ClientError, TimeoutError) as error:
                    self.outcomes[repr(error)] += 1


async def restart_fairly(services: tuple[Live, ...]) -> Clients:
    """Restarts each service at least once, and goes on until so many requests were sent."""
    balancer, done = Balancer([f"http://127.0.0.1:{live.port}" for live in services]), asyncio.Event()
    clients = Clients(balancer)
    checking = asyncio.create_task(balancer.check())
    sending = [
        asyncio.create_task(clients.client(keep_alive=number % 2 == 0, done=done))
        for number in range(CLIENTS)
    ]
    restarts = 0
    while restarts < len(services) or clients.sent < REQUESTS:
        await asyncio.to_thread(services[restarts % len(services)].restart)
        restarts += 1
        await balancer.all_healthy()
    done.set()
    await asyncio.gather(*sending)
    checking.cancel()
    print(f"\n{clients.sent} requests, {restarts} restarts: {dict(clients.outcomes)}")
    return clients


@pytest.mark.alone
def test_a_rolling_restart_loses_no_request() -> None:
    with (
        serving(POSTERN_DRAIN_SECONDS="4") as first,
        serving(POSTERN_DRAIN_SECONDS="4") as second,
    ):
        clients = asyncio.run(restart_fairly((first, second)))
    assert clients.outcomes == {"400": clients.sent}  # the answer to a login without a password
