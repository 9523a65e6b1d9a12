"""A project whose text takes long to render, beside an ordinary one. `python -m bench.slow_texts [--seconds 15]`.

One worker process, a real SMTP server in another one, email over real sockets. Printed is how fast the ordinary project
goes out beside each neighbour, as a part of its rate beside an ordinary neighbour of the same run. The goal is 0.8.
A unit of the slow project must also keep its lease: none is taken over.
"""

import argparse
import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.projects import TEXT, project, start, workers
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

ROWS = 100_000
_LOOP = "{% for a in (1..99) %}{% for b in (1..99) %}{{ a | append: b | upcase }}{% endfor %}{% endfor %}"
NEIGHBOURS = {
    "no neighbour": None,
    "an ordinary text": TEXT,
    "a text of tens of milliseconds": _LOOP,
    "a text near the deadline": _LOOP * 20,
    "a text that is too long to parse": "{% if a %}x{% endif %}" * 990,
}
_SENT = "SELECT count(*) FROM message_records WHERE project_id = $1 AND sent_at IS NOT NULL"


@asynccontextmanager
async def smtp() -> AsyncIterator[int]:
    """The port of a mail server that takes everything."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink",
        cwd=ROOT, env={**os.environ}, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield port
    finally:
        child.terminate()
        await child.wait()


async def beside(
    db: asyncpg.Connection, url: str, owners: list[UUID], text: str | None, seconds: float
) -> tuple[float, float]:
    """Messages a second of an ordinary project and of its neighbour, from the fifth second on."""
    made = [await project(url, ROWS, owners[0], TEXT, "email", "u{}@example.com")]
    if text is not None:
        made.append(await project(url, ROWS, owners[1], text, "email", "v{}@example.com"))
    for one in reversed(made):
        await start(url, one)
    await asyncio.sleep(5)
    before = [await db.fetchval(_SENT, one) for one in made]
    await asyncio.sleep(seconds)
    after = [await db.fetchval(_SENT, one) for one in made]
    assert after[0] < ROWS, "the ordinary project ended too soon; use more rows"
    await db.execute("UPDATE sending_projects SET status = 'stopped', preparation = NULL")
    rates = [(b - a) / seconds for a, b in zip(before, after, strict=True)]
    return rates[0], rates[1] if text is not None else 0.0


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.slow_texts")
    parse.add_argument("--seconds", type=float, default=15)
    parse.add_argument("--only", help="neighbours whose name begins so")
    given = parse.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        keys = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
        settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)  # type: ignore[arg-type]
        await prepare(settings)
        async with services(settings) as opened:
            owners = [
                (
                    await operator.create_user(
                        opened, f"{name}@bench.test", admin=False, password="bench bench"
                    )
                ).id
                for name in ("ordinary", "neighbour")
            ]
            for name in ("ordinary", "neighbour"):
                await operator.credit(opened, f"{name}@bench.test", "100000", account_id=None, note="bench")
        db = await asyncpg.connect(postgres.url)
        ordinary = 0.0
        async with smtp() as port:
            environment = {
                "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32, "POSTERN_LOG_LEVEL": "warning", "PYTHONPATH": str(ROOT),
                "POSTERN_CHANNEL_EMAIL": f"smtp://127.0.0.1:{port}?from=bench@example.com", "POSTERN_DATA_DIR": folder,
            }  # fmt: skip
            for name, text in NEIGHBOURS.items():
                if not name.startswith(given.only or ""):
                    continue
                async with workers(1, environment):
                    mine, other = await beside(db, postgres.url, owners, text, given.seconds)
                ordinary = mine if text == TEXT else ordinary
                part = f"   {mine / ordinary:.2f} of beside an ordinary one" if ordinary else ""
                print(f"{name:34} {mine:7,.0f}/s   neighbour {other:7,.0f}/s{part}", flush=True)
        print("states:", dict(await db.fetch("SELECT status, count(*) FROM message_records GROUP BY 1")))
        await db.close()


if __name__ == "__main__":
    asyncio.run(main())
