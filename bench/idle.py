"""`python -m bench.idle [--seconds 60]` shows the processor time of an installation that nobody uses.

An API process, a worker, PostgreSQL and Redis run without a request. The processor time is read from the kernel, so
other programs of the machine hardly change it; the transactions are counted by PostgreSQL.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

import asyncpg
import psutil

from tests.support.arguments import integer
from tests.support.deployment import deployment, end_in_order

SETTLE_SECONDS = 20  # after the start, in which a worker looks at everything once
_TRANSACTIONS = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"


def processor_seconds(process: psutil.Process) -> float:
    """Returns the processor time that a process and its children have used."""
    used = 0.0
    for each in (process, *process.children(recursive=True)):
        times = each.cpu_times()
        used += times.user + times.system
    return used


def postgres_of(folder: Path) -> psutil.Process:
    """Returns the process of a server by the file in which it stores its id."""
    return psutil.Process(int((folder / "postgresql/data/postmaster.pid").read_text().splitlines()[0]))


async def main(seconds: int) -> None:
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        async with deployment(Path(name)) as it, it.serving() as (api, _), it.workers(1) as (worker,):
            processes = {
                "API": psutil.Process(api.pid),
                "worker": psutil.Process(worker.pid),
                "PostgreSQL": postgres_of(it.folder),
            }
            db = await asyncpg.connect(it.url)
            await asyncio.sleep(SETTLE_SECONDS)
            before = {name: processor_seconds(process) for name, process in processes.items()}
            transactions = await db.fetchval(_TRANSACTIONS)
            await asyncio.sleep(seconds)
            transactions = await db.fetchval(_TRANSACTIONS) - transactions
            used = {name: processor_seconds(process) - before[name] for name, process in processes.items()}
            await db.close()
    for name, each in (used | {"all": sum(used.values())}).items():
        print(f"{name:<11} {each / seconds * 100:5.2f} % of a core")
    print(f"{transactions / seconds:.1f} transactions a second")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=integer(10, 600), default=60)
    sys.exit(asyncio.run(main(parser.parse_args().seconds)))
