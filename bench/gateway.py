"""The gateway against bare SQL: `GET /messages?limit=100`, `GET /users/{id}`, `POST /messages`."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx

from bench.load import CONNECTIONS, Measured, drive
from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

ROUNDS = 3
SECONDS = 4.0
ROWS = 1000


@asynccontextmanager
async def child(port: int, path: str, environment: dict[str, str], *words: str) -> AsyncIterator[None]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *words, cwd=ROOT, env={**os.environ, **environment},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with httpx.AsyncClient() as client, asyncio.timeout(30):
            while True:
                try:
                    await client.get(f"http://127.0.0.1:{port}{path}")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
        yield
    finally:
        child.terminate()
        await child.wait()


async def login(port: int, email: str) -> dict[str, str]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        answer = await client.post(
            "/auth/login",
            json={"email": email, "password": "bench bench"},
            headers={"x-real-ip": "127.0.0.1"},
        )
        return {"Authorization": f"Bearer {answer.json()['accessToken']}", "x-real-ip": "127.0.0.1"}


async def _fill(url: str, owner: UUID) -> None:
    connection = await asyncpg.connect(url)
    account = await connection.fetchval("SELECT id FROM accounts WHERE owner_id = $1", owner)
    await connection.execute("UPDATE accounts SET balance = 100000000 WHERE id = $1", account)
    await connection.executemany(
        'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body)'
        " VALUES ($1, $2, $3, 'outbound', 'sms', 'sent', '+14155550100', 'Your code is 424242')",
        [(uuid7(), owner, account) for _ in range(ROWS)],
    )
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def _bare_sends(url: str, owner: UUID, seconds: float) -> float:
    """The transaction that a send can't do without, in a loop on as many connections."""
    account = None
    until = time.perf_counter() + seconds
    sent = 0

    async def one(connection: asyncpg.Connection) -> None:
        nonlocal sent
        while time.perf_counter() < until:
            async with connection.transaction():
                await connection.execute(
                    "UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2",
                    account, Decimal("0.01"),
                )  # fmt: skip
                await connection.execute(
                    'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price)'
                    " VALUES ($1, $2, $3, 'outbound', 'sms', 'sent', '+14155550100', 'Your code is 424242', 0.01)",
                    uuid7(), owner, account,
                )  # fmt: skip
            sent += 1

    connections = [await asyncpg.connect(url) for _ in range(CONNECTIONS)]
    account = await connections[0].fetchval("SELECT id FROM accounts WHERE owner_id = $1", owner)
    begun = time.perf_counter()
    await asyncio.gather(*(one(connection) for connection in connections))
    took = time.perf_counter() - begun
    for connection in connections:
        await connection.close()
    return sent / took


def _say(what: str, ours: list[Measured], bare: list[float], goal: float) -> None:
    ratios = sorted(mine.per_second / other for mine, other in zip(ours, bare, strict=True))
    middle = ratios[len(ratios) // 2]
    best = max(mine.per_second for mine in ours)
    failed = sum(mine.failed for mine in ours)
    print(
        f"{what:34} {middle:5.2f} of bare SQL (goal {goal}; rounds {', '.join(f'{r:.2f}' for r in ratios)})"
        f"   {best:7.0f}/s, p99 {min(mine.p99_ms for mine in ours):.1f} ms"
        + (f", {failed} FAILED" if failed else "")
    )


async def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        await _measure(Path(folder), postgres.url, redis.url)


async def _measure(folder: Path, url: str, redis: str) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_PORT": "3901", "POSTERN_LIMIT_MESSAGES": "1000000000/60", "PYTHONPATH": str(ROOT),
        "IP_ALLOWLIST_FILE": str(allowlist), "IP_ALLOWLIST_MODE": "Enforce",
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        user = await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    await _fill(url, user.id)
    bare = {**environment, "BENCH_OWNER": str(user.id)}
    uvicorn = ("uvicorn", "bench.bare:app", "--port", "3902", "--no-access-log")
    async with (
        child(3901, "/", environment, "postern", "serve", "--no-worker"),
        child(3902, "/users", bare, *uvicorn),
    ):
        headers = await login(3901, "bench@example.com")
        for what, path, goal in (
            ("GET /messages?limit=100", "/messages?limit=100", 0.4),
            ("GET /users/{id}", f"/users/{user.id}", 0.4),
        ):
            ours, others = [], []
            for _ in range(ROUNDS):
                others.append((await drive(3902, path.partition("?")[0], {}, SECONDS)).per_second)
                ours.append(await drive(3901, path, headers, SECONDS))
            _say(what, ours, others, goal)
        body = b'{"to":"+15005550080","channel":"sms","body":"Your code is 424242"}'
        ours, others = [], []
        for _ in range(ROUNDS):
            others.append(await _bare_sends(url, user.id, SECONDS))
            ours.append(
                await drive(3901, "/messages", {**headers, "Content-Type": "application/json"}, SECONDS, body)
            )
        _say("POST /messages", ours, others, 0.3)


def run() -> Any:
    return asyncio.run(main())
