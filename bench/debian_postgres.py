"""`POST /messages` on a PostgreSQL as Debian installs it, whose `jit` is on, against the same server with `jit = off`.

    python -m bench.debian_postgres [--rounds 3] [--seconds 8]

A real API process without a worker; 1, 8 and 40 clients of one account; the rounds alternate.
"""

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import Any

import asyncpg

from bench.gateway import child
from bench.load import in_turns, request
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.support.debian_postgres import debian_postgres
from tests.support.ports import free_port

CLIENTS = (1, 8, 40)
GOAL = 0.8
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_KEYS = {"secret_key": "s" * 32, "jwt_key": "j" * 32}


async def _rate(
    url: str, redis: str, folder: str, token: str, jit: str, clients: int, seconds: float
) -> float:
    """Returns the messages accepted a second by a new API process."""
    db = await asyncpg.connect(url)
    await db.execute(f"ALTER DATABASE postern SET jit = {jit}")
    await db.execute("TRUNCATE messages CASCADE")
    await db.close()
    port = free_port()
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": _KEYS["secret_key"],
        "POSTERN_JWT_KEY": _KEYS["jwt_key"], "POSTERN_DATA_DIR": folder, "POSTERN_LOG_LEVEL": "error",
        "POSTERN_LIMIT_MESSAGES": "1000000000/60",
    }  # fmt: skip
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    requests = [request("/messages", headers, _BODY)] * clients
    async with child(port, "/health", environment, "postern", "serve", "--no-worker", "--port", str(port)):
        await in_turns(port, requests, 1.0)  # connections and caches are warm
        answers = await in_turns(port, requests, seconds)
    return (len(answers.times) - answers.failed) / answers.took


async def main(rounds: int, seconds: float) -> None:
    """Prints the rates of all rounds and the ratio of their medians."""
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        debian_postgres() as url,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        keys: dict[str, Any] = dict(_KEYS)
        settings = Settings(_env_file=None, db_string=url, redis_url=redis.url, **keys)
        await prepare(settings)
        async with services(settings) as opened:
            await operator.create_user(opened, "bench@bench.test", admin=False, password="bench bench")
            await operator.credit(opened, "bench@bench.test", "1000000", account_id=None, note="bench")
            token = await operator.create_token(opened, "bench@bench.test", "bench")
        for clients in CLIENTS:
            rates: dict[str, list[float]] = {"on": [], "off": []}
            for _ in range(rounds):
                for jit, done in rates.items():
                    done.append(await _rate(url, redis.url, folder, token, jit, clients, seconds))
            ratio = statistics.median(rates["on"]) / statistics.median(rates["off"])
            each = "; ".join(
                f"jit {jit}: " + ", ".join(f"{rate:.0f}" for rate in done) for jit, done in rates.items()
            )
            print(f"{clients:3} clients  {ratio:.2f} (goal {GOAL})   accepted a second, {each}", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=8.0)
    options = arguments.parse_args()
    asyncio.run(main(options.rounds, options.seconds))
