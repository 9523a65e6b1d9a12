"""`python -m bench.flat [rows ...]` compares the time of answers with 10,000 rows and with a million.

For each size, tests/connections/test_large_lists.py makes so many rows in each of eleven tables. Then it measures a
page of each list with each of its filters, and of the event feed, through the app's GraphQL door. Printed is, for each
list, the median time at each size, the median ratio of its filters to the smallest size, and the filter that grew most.

More than a million rows are made in one table after another, with ten thousand in the others: ten million take about
an hour and 10 GB. The time of a case is then the longest one.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.connections.large import SEEDS

ROOT = Path(__file__).parent.parent
PATIENCE = 3600  # seconds of one run
GOAL = 1.3
NOISE_MS = 1.0  # smaller differences of one request are not told from noise


AT_ONCE = 1_000_000
"""More rows are made in one table at a time."""


def _times(rows: int, folder: str) -> dict[str, float]:
    """Returns the milliseconds of each case."""
    if rows <= AT_ONCE:
        return _measured(rows, folder, {"EVERY_TABLE": "1"})
    longest: dict[str, float] = {}
    for table in SEEDS:
        for case, milliseconds in _measured(rows, folder, {"LARGE": table}).items():
            longest[case] = max(longest.get(case, 0.0), milliseconds)
    return longest


def _measured(rows: int, folder: str, which: dict[str, str]) -> dict[str, float]:
    path = Path(folder) / f"{rows}.json"
    # With few rows a plan may read all of a table, which the test counts as a failure.
    subprocess.run(
        [
            sys.executable, "tests/run.py", "tests/connections/test_large_lists.py", "-q", "-k", "walks",
            f"--timeout={PATIENCE}",
        ],
        cwd=ROOT, check=False, env={**os.environ, **which, "ROWS": str(rows), "TIMES": str(path)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    times: dict[str, float] = json.loads(path.read_text())
    return times


def main(sizes: list[int]) -> int:
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        measured = [_times(rows, folder) for rows in sizes]
    small = measured[0]
    groups: dict[str, list[str]] = {}
    for case in small:
        groups.setdefault(case.partition("{")[0].strip(), []).append(case)
    worst = 0.0
    for name, cases in groups.items():
        medians = "  ".join(
            f"{statistics.median(times[case] for case in cases):6.2f} ms" for times in measured
        )
        ratios = {case: measured[-1][case] / small[case] for case in cases}
        slowest = max(cases, key=lambda case: measured[-1][case] - small[case])
        grown = measured[-1][slowest] - small[slowest]
        worst = max(worst, statistics.median(ratios.values()))
        print(
            f"{name:24} {medians}  ratio {statistics.median(ratios.values()):.2f}"
            + (
                f"; most: {slowest} {small[slowest]:.2f} → {measured[-1][slowest]:.2f} ms"
                if grown > NOISE_MS
                else ""
            )
        )
    print(f"rows: {', '.join(f'{size:,}' for size in sizes)}; worst ratio of a list {worst:.2f}, goal {GOAL}")
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main([int(argument) for argument in sys.argv[1:]] or [10_000, 1_000_000]))
