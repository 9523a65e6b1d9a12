"""`python -m bench.invoices` measures how long an invoice of 100,000 lines takes to be compared, and what is found.

Messages of a route are made by SQL, a fifth of them of a project. The invoice bills each of them, but for 50 planted
differences of five kinds. The job then runs in this process, as a worker would run it, its reader in a process of its
own. Printed are its seconds, the most memory of this process, and how many of the differences were found, and how many
others.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from pathlib import Path

import asyncpg

from core.ids import uuid7
from core.settings import Settings
from engine.provider_invoices import comparing
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import open_services
from tests.support.arguments import integer
from tests.support.invoices import SIX_DAYS, add, begin, billed, differences_of, fill, sent

GOAL_SECONDS = 30
_PLANTED = 50
_OWNER = """
INSERT INTO users (id, email, roles)
SELECT id, id || '@example.com', '{user,admin}' FROM (SELECT $1::uuid AS id) AS u
"""
_ACCOUNT = "INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $2, 'x', 'USD', 0)"


async def main(count: int) -> int:
    """Runs it on servers of its own. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        data = Path(folder)
        with EmbeddedPostgres(data / "postgres") as postgres, EmbeddedRedis(data / "redis") as redis:
            settings = Settings(
                _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32,
                data_dir=data,
            )  # fmt: skip
            await prepare(settings)
            services = open_services(settings)
            db = await asyncpg.connect(postgres.url)
            try:
                return await _measure(services, db, count)
            finally:
                await db.close()
                await services.close()


async def _measure(services, db, count: int) -> int:  # type: ignore[no-untyped-def]
    owner, account, since = uuid7(), uuid7(), begin()
    await db.execute(_OWNER, owner)
    await db.execute(_ACCOUNT, account, owner)
    await fill(db, owner, account, count, since)
    await db.execute("VACUUM ANALYZE")
    text, planted = billed(await sent(db), _PLANTED)
    invoice = await add(services, owner, text, since, since + SIX_DAYS)
    begun = time.perf_counter()
    await comparing.compare(services, invoice)
    seconds = time.perf_counter() - begun
    row = await db.fetchrow("SELECT status, status_reason, lines, sums FROM provider_invoices")
    found = await differences_of(db, invoice)
    right = sum(found[each] == 1 for each in planted)
    wrong = found.total() - right
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{row['lines']:,} lines, {row['status']} {row['status_reason'] or ''}: {seconds:.1f} s, {memory:.0f} MiB at"
        f" most; of {len(planted)} planted differences {right} found, {wrong} false"
    )
    return 0 if (right, wrong) == (_PLANTED, 0) and seconds <= GOAL_SECONDS else 1


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.invoices")
    parse.add_argument("--lines", type=integer(1000, 10_000_000), default=100_000)
    raise SystemExit(asyncio.run(main(parse.parse_args().lines)))
