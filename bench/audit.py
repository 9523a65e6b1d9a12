"""`python -m bench.audit` measures what the audit costs: changes through a process that writes it, and through one that
does not (`bench.without audit`), on one database, in alternating rounds. Each round gives one ratio.
"""

import argparse
import asyncio
import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg

from bench.gateway import child, login
from bench.load import drive
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

PORTS = {"audited": 3907, "not audited": 3908}
CHANGES = (
    (
        "POST /sending-project (SQL)",
        "/sending-project",
        b'{"name":"bench","channel":"sms","text":"Hello {{ name }}!"}',
        3.0,
    ),
    ("POST /accounts (a session)", "/accounts", b'{"name":"bench"}', 1.5),  # a user may have 10,000
)


async def _measure(rounds: int, url: str, redis: str) -> None:
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_LIMIT_LOGIN": "1000000/60", "POSTERN_ACCOUNTS_PER_USER": "10000", "PYTHONPATH": str(ROOT),
        "POSTERN_TRUSTED_PROXIES": "127.0.0.1",
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    async with AsyncExitStack() as stack:
        for title, port in PORTS.items():
            words = ("postern",) if title == "audited" else ("bench.without", "audit")
            command = (*words, "serve", "--no-worker", "--port", str(port))
            await stack.enter_async_context(child(port, "/", environment, *command))
        headers = await login(PORTS["audited"], "bench@example.com")
        for title, path, body, seconds in CHANGES:
            ratios, failed = [], 0
            for number in range(-1, rounds):  # the first one warms up
                rates = {}
                for name in PORTS if number % 2 == 0 else [*PORTS][::-1]:
                    json = headers | {"Content-Type": "application/json"}
                    measured = await drive(PORTS[name], path, json, seconds, body)
                    rates[name], failed = measured.per_second, failed + measured.failed
                if number >= 0:
                    ratios.append(rates["audited"] / rates["not audited"])
            each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            print(f"  {title:28} {statistics.median(ratios):.2f} ({each})", end="")
            print(f", {failed} FAILED" if failed else "", flush=True)
    connection = await asyncpg.connect(url)
    entries = await connection.fetchval("SELECT count(*) FROM audit_entries")
    await connection.close()
    print(f"  {entries} entries were written")


async def main(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            print("Audited changes in proportion to the same ones without the audit:", flush=True)
            await _measure(arguments.rounds, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.audit")
    parse.add_argument("--rounds", type=int, default=7)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
