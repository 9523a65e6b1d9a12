"""`python -m bench.poolers [--seconds 4] [--rounds 5] [--pgbouncer PROGRAM]`: what a pooler costs an API process.

API processes beside each other, one at a time in alternating rounds, with 16 connections of one client each:

direct     DB_STRING names PostgreSQL itself
pooler     DB_STRING names a PgBouncer in transaction mode, which keeps no prepared statements: Debian's 1.18
keeps      the same with `pooler_statement_cache = 512`, if the PgBouncer of `--pgbouncer` keeps them (from 1.21)

It prints the median of each one's rate, and its ratio to `direct` by rounds; then the same of the processor time of the
API process for each request.
"""

import argparse
import asyncio
import statistics
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path

from bench.graphql import processor
from bench.load import drive
from bench.wal import sender
from tests.support.deployment import deployment, end_in_order
from tests.support.pgbouncer import PGBOUNCER, pgbouncer

_MESSAGE = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_REQUESTS = {
    "GET /auth/me": ("/auth/me", None),
    "GET /messages?limit=50": ("/messages?limit=50", None),
    "POST /messages": ("/messages", _MESSAGE),
}
_WARM_SECONDS = 2.0


async def main(arguments: argparse.Namespace) -> None:
    end_in_order()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postern-bench-")))
        it = await stack.enter_async_context(deployment(folder))
        token = await sender(it, feed=False)
        keeping = folder / "keeping.toml"
        keeping.write_text("[database]\npooler_statement_cache = 512\n")
        variants: dict[str, dict[str, str]] = {"direct": {}}
        old = stack.enter_context(pgbouncer(it.url, "transaction"))
        variants["pooler"] = {"DB_STRING": old.url, "DB_DIRECT_STRING": it.url}
        if arguments.pgbouncer != PGBOUNCER:
            new = stack.enter_context(
                pgbouncer(it.url, "transaction", program=arguments.pgbouncer, prepared=1_000)
            )
            variants["keeps"] = {
                "DB_STRING": new.url,
                "DB_DIRECT_STRING": it.url,
                "POSTERN_DATABASE_FILE": str(keeping),
            }
        running = {
            name: await stack.enter_async_context(
                it.serving(POSTERN_LIMIT_MESSAGES="1000000000/60", **environment)
            )
            for name, environment in variants.items()
        }
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        for title, (path, body) in _REQUESTS.items():
            rates, costs = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
            for _, port in running.values():
                await drive(port, path, headers, _WARM_SECONDS, body)
            for _ in range(arguments.rounds):
                for name, (process, port) in running.items():
                    before = processor(process.pid)
                    measured = await drive(port, path, headers, arguments.seconds, body)
                    if measured.failed:
                        raise RuntimeError(f"{measured.failed} requests failed")
                    rates[name].append(measured.per_second)
                    count = measured.per_second * arguments.seconds
                    costs[name].append((processor(process.pid) - before) / count * 1e6)
            print(title)
            for name in running:
                print(
                    f"  {name:<8} {statistics.median(rates[name]):>8,.0f}/s, {_ratio(rates, name):.2f} of direct's;"
                    f" {statistics.median(costs[name]):>6,.0f} µs of the API process, {_ratio(costs, name):.2f}",
                    flush=True,
                )


def _ratio(values: dict[str, list[float]], name: str) -> float:
    return statistics.median(
        each / direct for each, direct in zip(values[name], values["direct"], strict=True)
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pgbouncer", default=PGBOUNCER, help="a program of PgBouncer 1.21 or newer")
    asyncio.run(main(parser.parse_args()))
