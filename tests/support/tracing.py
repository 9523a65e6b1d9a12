"""Coverage beside greenlets on Python 3.11: quicker, and without a standstill.

At every line coverage.py looks up the stack of the greenlet that runs, in a `WeakKeyDictionary`, which is Python: that
doubles the time of a run. And when a thread ends, greenlet frees the thread's own greenlet in a pending call of the
main thread, where the dictionary's callback is traced. If just then another thread ends and leaves another pending
call, CPython 3.11 tries that one at the callback's first instruction, may not, and tries again for ever (its loop for
traced code goes back to the same instruction). A dictionary in C has neither trouble.
"""

import sys
import weakref
from typing import Any

from coverage.collector import Collector
from greenlet import greenlet

_MOST = 500


class Stacks(dict[greenlet, int]):
    """The number of each greenlet's stack; those that have ended leave it now and then."""

    def __setitem__(self, one: greenlet, stack: int) -> None:
        if len(self) >= _MOST:
            for ended in [greenlet for greenlet in self if greenlet.dead]:
                del self[ended]
        super().__setitem__(one, stack)


_begin = Collector._start_tracer


def _begin_with_stacks(self: Collector) -> Any:
    """The tracer makes its dictionary at the first call that it sees."""
    theirs = weakref.WeakKeyDictionary
    weakref.WeakKeyDictionary = Stacks  # type: ignore[assignment, misc]
    try:
        begun = _begin(self)
        _seen()
    finally:
        weakref.WeakKeyDictionary = theirs  # type: ignore[misc]
    return begun


def _seen() -> None: ...


if sys.version_info < (3, 12):
    Collector._start_tracer = _begin_with_stacks  # type: ignore[method-assign]
