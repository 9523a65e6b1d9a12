"""A turnstile: a test that is marked `alone` runs while no other process of pytest-xdist runs one.

Every test passes the turnstile and then holds the floor, shared with others or for itself. Who waits for the floor
stands in the turnstile meanwhile, so nobody overtakes him. Tests that are alone and follow each other in one process
keep the floor from one to the next: to wait each time until all others have ended theirs would take longer than they
do. The kernel opens the locks of a process that dies.
"""

import fcntl
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest


class Turns:
    """Of one process, in a folder that all of them know."""

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the tests that are alone first.

    pytest-xdist gives each process a part of the list, so the first process has all of them, and keeps the floor from
    the first to the last. Each one that stood between others would make all processes wait for the longest test of
    that moment.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not _is_alone(item))


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
    turns.begin(alone=_is_alone(item))
    try:
        return (yield)
    finally:
        turns.end(further=nextitem is not None and _is_alone(nextitem))


def _is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None


@contextmanager
def _locked(file: Path, how: int) -> Iterator[None]:
    with file.open("a") as opened:
        fcntl.flock(opened, how)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)  # to close it is not enough when a child has it open too
