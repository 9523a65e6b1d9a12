"""Says which tests take the processor: their own time and that of all that they start, servers and browsers included.

    .venv/bin/python -m pytest -p tests.support.spending tests/blocks tests/files
    .venv/bin/python -m tests.support.spending

The first writes a line for each test into SPENDING (/tmp/postern-spending by default), and the second adds the lines
up by folder and by file. Unlike the time of the clock, it says the same on a busy machine, or nearly so. One process
runs the tests, since processes that share a server can't tell who it worked for; what a package of tests starts counts
for the first of them, and collecting has a line of its own.
"""

import os
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

LINES = Path(os.environ.get("SPENDING", "/tmp/postern-spending"))
_MOST = 40  # rows of a table
_TICKS = os.sysconf("SC_CLK_TCK")


def spent() -> float:
    """Returns the seconds of this process and its descendants so far. A process that has ended is in its parent's."""
    seconds: dict[int, float] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            seconds[int(folder.name)] = sum(map(int, fields[11:15])) / _TICKS
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    total, left = 0.0, [os.getpid()]
    while left:
        one = left.pop()
        total += seconds.get(one, 0)
        left += children.get(one, [])
    return total


def _add(name: str, seconds: float) -> None:
    with LINES.open("a") as lines:
        lines.write(f"{seconds:.2f}\t{name}\n")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or getattr(config.option, "dist", "no") != "no":
        raise pytest.UsageError("spending is told by one process: leave out -n")


def pytest_collection_finish() -> None:
    _add("(start and collection)", spent())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = spent()
    try:
        return (yield)
    finally:
        _add(item.nodeid, spent() - before)


def tables(lines: list[str]) -> str:
    """Adds the lines up: a table of folders, one of files and one of tests, the dearest first."""
    folders, files, tests = Counter[str](), Counter[str](), Counter[str]()
    for line in lines:
        seconds, _, test = line.partition("\t")
        file = test.partition("::")[0]
        for table, name in ((folders, file.rpartition("/")[0] or file), (files, file), (tests, test)):
            table[name] += float(seconds)  # type: ignore[assignment]
    return "\n\n".join(
        "\n".join(f"{seconds:8.1f} s  {name}" for name, seconds in table.most_common(_MOST))
        for table in (folders, files, tests)
    )


if __name__ == "__main__":
    sys.stdout.write(tables(LINES.read_text().splitlines()) + "\n")
