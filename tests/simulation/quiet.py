"""Keeps the log of the code under test: what it calls a bug of its own is a violation."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.sending import ask, groups, in_flight, pass_on, stream
from runtime import breakers, leases, retry

_MODULES = (ask, groups, in_flight, pass_on, stream, breakers, leases, retry)
_BUGS = frozenset(
    {
        "the stream of a route broke",
        "a message has no outcome",
        "messages can't be sent",
        "repeated work has failed",
    }
)


class _Log:
    def __init__(self, bugs: list[str]) -> None:
        self._bugs = bugs

    def debug(self, event: str, **values: Any) -> None:
        if event in _BUGS:
            self._bugs.append(f"the log says: {event}")

    info = warning = error = exception = debug


@contextmanager
def logs() -> Iterator[list[str]]:
    """Takes the log until the end of the block. Gives the list of the bugs that it names."""
    bugs: list[str] = []
    log = _Log(bugs)
    before = [module.log for module in _MODULES]
    for module in _MODULES:
        module.log = log  # type: ignore[attr-defined]
    try:
        yield bugs
    finally:
        for module, own in zip(_MODULES, before, strict=True):
            module.log = own  # type: ignore[attr-defined]
