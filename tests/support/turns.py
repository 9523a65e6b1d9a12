"""Tests that claim a time, marked `alone`, come before other processes of pytest-xdist, which want the processors too.

The first process runs such tests, one after another, while the others go on: these have a lower priority, and so has
what they start. Most of these tests wait nearly all the time, and two processors would wait with them. PostgreSQL and
Redis have the priority of the first process and work for all: a test whose time is narrow, and depends on them, is
marked `exclusive`.

A test that is exclusive runs while no other process runs a test, and so does one that is alone and comes to another
process than the first. For that there is a turnstile:
every test passes it and then holds the floor, shared with others or for itself. A test that waits for the floor stays
in the turnstile meanwhile, so none overtakes it. Tests that are alone and follow each other in one process keep the
floor from one to the next: to wait each time until all others have ended theirs would take longer than they do. The
kernel opens the locks of a process that dies.

Then the first process runs those with a browser. They take all of a processor, and most others wait half of their time:
at the end of the run, the browsers of three processes would wait for two processors.
"""

import fcntl
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import WorkStealingScheduling

from core.priority import lower_priority

FIRST = "gw0"  # InOrder gives it the beginning of the list
LOWER = 10  # niceness: about a tenth of a processor that the first process wants, too


class Turns:
    """Gives one process its turns; `folder` is the same for all processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: ExitStack | None = None
        self._alone = False

    def begin(self, *, alone: bool) -> None:
        """Waits for the floor, unless it was kept for this one."""
        if self._held is not None and alone and self._alone:
            return
        self.end()
        held = ExitStack()
        with _locked(self._folder / "turnstile", fcntl.LOCK_EX):
            held.enter_context(_locked(self._folder / "floor", fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        self._held, self._alone = held, alone

    def end(self, *, further: bool = False) -> None:
        """`further`: the next one is alone too."""
        if self._held is not None and not (self._alone and further):
            self._held.close()
            self._held = None


_TURNS: dict[Path, Turns] = {}


class InOrder(WorkStealingScheduling):
    """Gives the beginning of the list to the first process. xdist gives it to the one that is ready first."""

    def schedule(self) -> None:
        self.node2pending = dict(sorted(self.node2pending.items(), key=lambda entry: entry[0].gateway.id))
        super().schedule()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> InOrder | None:
    return InOrder(config, log) if config.getvalue("dist") == "worksteal" else None


def pytest_configure(config: pytest.Config) -> None:
    """Lowers the priority of all processes but the first."""
    if not _is_first(config):
        lower_priority(LOWER)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the tests that are alone first, and then those with a browser: pytest-xdist gives each process a part of the
    list, in its order.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (not _is_alone(item), not _has_browser(item)))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Fixtures included: what a test starts is started and ended in its turn."""
    if not hasattr(item.config, "workerinput"):  # there is one process
        return (yield)
    # pytest-xdist gives each process a folder of its own beside those of the others.
    folder = Path(item.config.option.basetemp).parent
    turns = _TURNS.setdefault(folder, Turns(folder))
    first = _is_first(item.config)
    if first and not _is_alone(item):
        lower_priority(LOWER)  # from now on this process is one like the others
    turns.begin(alone=_is_exclusive(item) or (_is_alone(item) and not first))
    try:
        return (yield)
    finally:
        turns.end(further=nextitem is not None and _is_alone(nextitem))


def _is_first(config: pytest.Config) -> bool:
    """Returns whether this is the process of the higher priority. One that runs all tests by itself is."""
    workerinput: dict[str, str] = getattr(config, "workerinput", {"workerid": FIRST})
    return workerinput["workerid"] == FIRST


def _has_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def _is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None or _is_exclusive(item)


def _is_exclusive(item: pytest.Item) -> bool:
    return item.get_closest_marker("exclusive") is not None


@contextmanager
def _locked(file: Path, how: int) -> Iterator[None]:
    with file.open("a") as opened:
        fcntl.flock(opened, how)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)  # to close it is not enough when a child has it open too
