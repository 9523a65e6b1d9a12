"""Says which tests take the processor: their own time and that of all that they start, servers and browsers included.

Each run prints the seconds of its kinds of tests (tests/support/tiers.py), those of `make test` beside BUDGET. A run of
`make test` that takes three times the budget in all fails (tests/run.py). Unlike the time of the clock, they say nearly
the same on a busy machine. What a package of tests starts counts for the first of them; the shared PostgreSQL and Redis
work for all processes of a run, and are not counted.

    SPENDING=/tmp/spending .venv/bin/python tests/run.py tests/blocks tests/files
    .venv/bin/python -m tests.support.spending /tmp/spending

With SPENDING each test gets a line in that file, and the second command adds the lines up by folder, file and test.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.terminal import TerminalReporter

from tests.support import tiers

LINES: Final = "SPENDING"
BUDGET: Final = {"collection": 90, "unit": 120, "server": 500, "rotating": 350, "browser": 250}
"""Seconds of a processor that `make test` may take, by kind."""
_MOST = 40  # rows of a table
_TICKS = os.sysconf("SC_CLK_TCK")

totals = Counter[str]()
"""Seconds of this run by kind; in the process that controls others, those of all of them."""


def spent(pid: int | None = None) -> float:
    """Returns the seconds of a process, by default this one, and of its descendants so far.

    A process that has ended is in the seconds of its parent.
    """
    seconds, left = 0.0, [pid or os.getpid()]
    while left:
        folder = Path(f"/proc/{left.pop()}")
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            for task in (folder / "task").iterdir():
                left += map(int, (task / "children").read_text().split())
        except OSError:  # it has ended meanwhile
            continue
        seconds += sum(map(int, fields[11:15])) / _TICKS
    return seconds


def pytest_collection_finish() -> None:
    totals["collection"] += spent()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before, begun = spent(), time.monotonic()
    try:
        return (yield)
    finally:
        # What a parent has not waited for when it ends is nobody's; a process that comes from elsewhere brings its own.
        seconds = min(max(0.0, spent() - before), (time.monotonic() - begun) * (os.cpu_count() or 1))
        totals[tiers.kind(item)] += seconds
        if file := os.environ.get(LINES):
            with Path(file).open("a") as lines:
                lines.write(
                    f"{seconds:.2f}\t{time.monotonic() - begun:.2f}\t{tiers.kind(item)}\t{item.nodeid}\n"
                )


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["spending"] = dict(totals)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Adds the seconds of a process of pytest-xdist, at its end."""
    totals.update(getattr(node, "workeroutput", {}).get("spending", {}))


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Prints the seconds of each kind beside its budget."""
    for line in table(totals, BUDGET if tiers.tier() == "test" else {}):
        terminalreporter.write_line(line)


def table(seconds: Mapping[str, float], budget: Mapping[str, float]) -> list[str]:
    """Returns the lines of the table of kinds."""
    return ["Seconds of a processor:"] + [
        f"  {kind:<11}{spent:7.0f}" + (f"  of {budget[kind]}" if kind in budget else "")
        + (", which is too many" if spent > budget.get(kind, spent) else "")
        for kind, spent in seconds.items()
    ]  # fmt: skip


def tables(lines: list[str]) -> str:
    """Adds the lines up: a table of folders, one of files and one of tests, the dearest first."""
    folders, files, tests = Counter[str](), Counter[str](), Counter[str]()
    for line in lines:
        seconds, _, _, test = line.split("\t", 3)
        file = test.partition("::")[0]
        for counted, name in ((folders, file.rpartition("/")[0] or file), (files, file), (tests, test)):
            counted[name] += float(seconds)  # type: ignore[assignment]
    return "\n\n".join(
        "\n".join(f"{seconds:8.1f} s  {name}" for name, seconds in counted.most_common(_MOST))
        for counted in (folders, files, tests)
    )


if __name__ == "__main__":
    sys.stdout.write(tables(Path(sys.argv[1]).read_text().splitlines()) + "\n")
