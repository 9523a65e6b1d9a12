"""`python -m bench.wire [CHANNEL] [--rounds 3] [--messages N]`: the sending path at real servers.

Every row compares Postern with a bare client at the same server, in turns, in one run; machines differ, so the ratios
count. The goals stand in the table that is printed at the end.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bench.wire import bounces, direct, feed, http, refusals, smpp, smtp, webhooks, workers
from bench.wire.contest import Row, Unavailable, table
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

Channel = Callable[[Deployment, list[Row], int, int | None], Awaitable[None]]

CHANNELS: dict[str, Channel] = {
    "http": http.run,
    "smtp": smtp.run,
    "smpp": smpp.run,
    "webhooks": webhooks.run,
    "workers": workers.run,
    "feed": feed.run,
}


async def main(names: Sequence[str], count: int, messages: int | None, seconds: float) -> int:
    end_in_order()
    rows: list[Row] = []
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load {load:.1f} at the start; {count} rounds, medians")
    try:
        for name in names:
            with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
                async with deployment(Path(folder), outbound_allow=["127.0.0.0/8"]) as it:
                    it.environment["POSTERN_OUTBOUND_ALLOW"] = "127.0.0.0/8"
                    try:
                        if name == "direct":
                            await direct.run(it, count, seconds)
                        elif name == "bounces":
                            await bounces.run(it, count, messages)
                        elif name == "refusals":
                            await refusals.run(it, count, messages)
                        else:
                            await CHANNELS[name](it, rows, count, messages)
                    except Unavailable as error:
                        print(f"\n{name}: not run, {error}", flush=True)
    finally:
        if rows:
            table(rows)
    return 0


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.wire")
    parse.add_argument(
        "channel", nargs="?", choices=(*CHANNELS, "bounces", "direct", "refusals", "all"), default="all"
    )
    parse.add_argument("--rounds", type=integer(1, 20), default=3, help="of each contest, 1 to 20")
    parse.add_argument("--messages", type=integer(10, 1_000_000), help="of a round, 10 to 1,000,000")
    parse.add_argument(
        "--seconds", type=integer(1, 600), default=8, help="of a round of direct messages, 1 to 600"
    )
    arguments = parse.parse_args()
    chosen = (
        [*CHANNELS, "bounces", "direct", "refusals"] if arguments.channel == "all" else [arguments.channel]
    )
    try:
        sys.exit(asyncio.run(main(chosen, arguments.rounds, arguments.messages, arguments.seconds)))
    except asyncio.CancelledError:
        sys.exit(130)
