"""A project whose text takes long to render, beside an ordinary one. `python -m bench.slow_texts [--seconds 15]`.

One worker process, a real SMTP server in another one, email over real sockets. Printed is how fast the ordinary project
goes out beside each neighbour, as a part of its rate beside an ordinary neighbour of the same run. The goal is 0.8.
A unit of the slow project must also keep its lease: none is taken over.
"""

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.wire.samples import TEXT, recipient
from tests.support.deployment import Deployment, deployment
from tests.support.ports import free_port

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
async def smtp(it: Deployment) -> AsyncIterator[int]:
    """The port of a mail server that takes everything."""
    port = free_port()
    child = await it.spawn("aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink")
    try:
        yield port
    finally:
        await it.stop(child)


async def beside(
    it: Deployment, db: asyncpg.Connection, owners: list[UUID], text: str | None, seconds: float
) -> tuple[float, float]:
    """Messages a second of an ordinary project and of its neighbour, from the fifth second on."""
    people = (recipient("email", number) for number in range(ROWS))
    made = [await it.make_project(owners[0], "email", TEXT, people, subject="Bench")]
    if text is not None:
        people = (recipient("email", number) for number in range(ROWS))
        made.append(await it.make_project(owners[1], "email", text, people, subject="Bench"))
    for project in reversed(made):
        await it.start_project(project)
    await asyncio.sleep(5)
    before = [await db.fetchval(_SENT, project) for project in made]
    await asyncio.sleep(seconds)
    after = [await db.fetchval(_SENT, project) for project in made]
    assert after[0] < ROWS, "the ordinary project ended too soon; use more rows"
    await db.execute("UPDATE sending_projects SET status = 'stopped', preparation = NULL")
    rates = [(b - a) / seconds for a, b in zip(before, after, strict=True)]
    return rates[0], rates[1] if text is not None else 0.0


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.slow_texts")
    parse.add_argument("--seconds", type=float, default=15)
    parse.add_argument("--only", help="neighbours whose name begins so")
    arguments = parse.parse_args()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, smtp(it) as port:
            owners = [await it.owner(), await it.owner()]
            db = await asyncpg.connect(it.url)
            ordinary = 0.0
            dsn = f"smtp://127.0.0.1:{port}?from=bench@example.com"
            for name, text in NEIGHBOURS.items():
                if not name.startswith(arguments.only or ""):
                    continue
                async with it.workers(1, POSTERN_CHANNEL_EMAIL=dsn, POSTERN_LOG_LEVEL="warning"):
                    mine, other = await beside(it, db, owners, text, arguments.seconds)
                ordinary = mine if text == TEXT else ordinary
                part = f"   {mine / ordinary:.2f} of beside an ordinary one" if ordinary else ""
                print(f"{name:34} {mine:7,.0f}/s   neighbour {other:7,.0f}/s{part}", flush=True)
            print("states:", dict(await db.fetch("SELECT status, count(*) FROM message_records GROUP BY 1")))
            await db.close()


if __name__ == "__main__":
    asyncio.run(main())
