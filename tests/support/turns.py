"""A turnstile: a test that is marked `alone` runs while no other process of pytest-xdist runs one.

Every test passes the turnstile and then holds the floor, shared with others or for itself. Who waits for the floor
stands in the turnstile meanwhile, so nobody overtakes him. The kernel opens the locks of a process that dies.
"""

import fcntl
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Fixtures included: what a test starts is started and ended in its turn."""
    if not hasattr(item.config, "workerinput"):  # there is one process
        return (yield)
    # pytest-xdist gives each process a folder of its own beside those of the others.
    folder = Path(item.config.option.basetemp).parent
    with turn(folder, alone=item.get_closest_marker("alone") is not None):
        return (yield)


@contextmanager
def turn(folder: Path, *, alone: bool) -> Iterator[None]:
    with ExitStack() as held:
        with _locked(folder / "turnstile", fcntl.LOCK_EX):
            held.enter_context(_locked(folder / "floor", fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        yield


@contextmanager
def _locked(file: Path, how: int) -> Iterator[None]:
    with file.open("a") as opened:
        fcntl.flock(opened, how)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)  # to close it is not enough when a child has it open too
