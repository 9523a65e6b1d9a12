"""Adding a large import to a project on a busy machine: `python -m bench.additions [rows] [busy]`.

A real `postern serve` with its worker, real sockets, `busy` other processes that do nothing but compute (default 4).
Printed: how long the request took, how long others' reads took meanwhile, and when all rows were in.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx

from bench.gateway import child
from bench.render_pool import client
from core.ids import uuid7
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

_PORT = 3918


async def _imported(url: str, owner: UUID, rows: int) -> UUID:
    """An import that has been read, as its reader leaves it."""
    db, made = await asyncpg.connect(url), uuid7()
    await db.execute(
        "INSERT INTO recipient_imports (id, owner_id, status, region, total, valid)"
        " VALUES ($1, $2, 'ready', 'US', $3, $3)",
        made, owner, rows,
    )  # fmt: skip
    lines = ((made, number + 1, f"+1415{number:07}", f"N {number}") for number in range(rows))
    await db.copy_records_to_table(
        "import_rows", records=lines, columns=["import_id", "line", "address", "name"], timeout=600
    )
    await db.execute("UPDATE tariffs SET max_recipients_per_project = 100000000")
    await db.execute("ANALYZE import_rows")
    await db.close()
    return made


async def _others(http: httpx.AsyncClient, until: asyncio.Event) -> list[float]:
    """Milliseconds of others' reads."""
    times = []
    while not until.is_set():
        begun = time.perf_counter()
        (await http.get("/messages?limit=1")).raise_for_status()
        times.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(0.05)
    return times


async def main(rows: int, busy: int) -> None:
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        postgres, redis = EmbeddedPostgres(Path(folder)), EmbeddedRedis(Path(folder))
        with postgres, redis:
            keys: dict[str, Any] = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
            settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)
            await prepare(settings)
            async with services(settings) as opened:
                owner = await operator.create_user(
                    opened, "a@bench.test", admin=False, password="bench bench"
                )
            source = await _imported(postgres.url, owner.id, rows)
            environment = {
                "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32, "POSTERN_DATA_DIR": folder, "POSTERN_LOG_LEVEL": "error",
            }  # fmt: skip
            burning = [
                await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
                for _ in range(busy)
            ]
            try:
                async with child(_PORT, "/health", environment, "postern", "serve", "--port", str(_PORT)):
                    await _run(await client(_PORT, "a@bench.test"), str(source), rows)
            finally:
                for task in burning:
                    task.kill()
                    await task.wait()


async def _run(http: httpx.AsyncClient, source: str, rows: int) -> None:
    body = {"name": "p", "channel": "sms", "text": "t"}
    project = (await http.post("/sending-project", json=body)).json()["uuid"]
    done = asyncio.Event()
    watching = asyncio.create_task(_others(http, done))
    begun = time.perf_counter()
    answer = await http.post(f"/recipient/{project}", json={"importUuid": source})
    took = time.perf_counter() - begun
    counts = answer.raise_for_status().json()
    print(f"answered after {took:.2f} s: added {counts['added']:,}, pending {counts['pending']}")
    while (left := (await http.get(f"/sending-project/{project}")).json()["recipientsPending"]) > 0:
        await asyncio.sleep(0.5)
    whole = time.perf_counter() - begun
    done.set()
    times = await watching
    total = (await http.get(f"/recipient/list/{project}?limit=1")).json()["meta"]["total"]
    print(
        f"all {total:,} of {rows:,} in after {whole:.1f} s ({rows / whole:,.0f} rows a second), {left} left"
    )
    print(f"others' reads meanwhile: p50 {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
    await http.aclose()


if __name__ == "__main__":
    os.environ.setdefault("POSTERN_LOG_LEVEL", "error")
    numbers = [int(argument) for argument in sys.argv[1:]]
    asyncio.run(main(*(numbers + [1_000_000, 4][len(numbers) :])))
