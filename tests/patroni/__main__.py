"""`python -m tests.patroni`: kills PostgreSQL and nodes of a Patroni cluster under load, and prints the table."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.patroni.cluster import missing
from tests.patroni.scenarios import Result, run
from tests.patroni.world import world
from tests.support.deployment import end_in_order


def _span(values: list[float]) -> str:
    """Returns the least, the middle and the greatest of the seconds."""
    if not values:
        return "–"
    return f"{min(values):.1f} / {median(values):.1f} / {max(values):.1f}"


def report(results: list[Result]) -> None:
    """Prints the measurements and the counts."""
    print("\n| fault | times | accepted after s | delivered after s | doctor | metrics | log |")
    print("|---|---|---|---|---|---|---|")
    for result in results:
        if result.accepted:
            named = [f"{result.named[each]:.0f} s" if each in result.named else "–" for each in _ASKED]
            cells = [
                result.title,
                str(len(result.accepted)),
                _span(result.accepted),
                _span(result.delivered),
                *named,
            ]
            print(f"| {' | '.join(cells)} |")
    for result in results:
        if result.counts:
            print(
                f"\n{result.title}: " + ", ".join(f"{name} {value}" for name, value in result.counts.items())
            )
    for problem in (problem for result in results for problem in result.problems):
        print(f"PROBLEM {problem}")


_ASKED = ("doctor", "metrics", "log")


async def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.patroni", description=__doc__)
    parser.add_argument("--postgres", type=int, default=10, help="how often PostgreSQL is killed")
    parser.add_argument("--nodes", type=int, default=5, help="how often a node is killed")
    parser.add_argument("--switches", type=int, default=3, help="how often the primary is changed in order")
    parser.add_argument("--only", choices=("", "sync", "async", "frozen"), default="")
    parser.add_argument("--keep", type=Path, help="a folder for the data and the logs, which stays")
    arguments = parser.parse_args()
    if reason := missing():
        print(f"Left out: {reason}")
        return 0
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-patroni-", ignore_cleanup_errors=True) as made:
        folder = arguments.keep or Path(made)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        async with world(folder) as it:
            results = await run(
                it,
                postgres=arguments.postgres,
                nodes=arguments.nodes,
                switches=arguments.switches,
                only=arguments.only,
            )
            report(results)
            print(f"answers besides 202: {dict(it.refusals)}")
    return min(sum(len(result.problems) for result in results), 1)


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except asyncio.CancelledError:
        sys.exit(130)
