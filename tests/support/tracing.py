"""Coverage beside greenlets on Python 3.11, so that a run cannot stand still.

coverage.py keeps a weak dictionary of each thread's greenlets. When a thread ends, greenlet frees the thread's own one
in a pending call of the main thread, and the dictionary's Python callback is traced there. If just then another thread
ends and leaves another pending call, CPython 3.11 tries that one at the callback's first instruction, may not, and
tries again for ever (its loop for traced code goes back to the same instruction). A callback in C is not traced.
"""

import sys
import weakref
from collections.abc import Iterator
from typing import Any


class Untraced(weakref.WeakKeyDictionary[Any, Any]):
    """Who goes over it goes over a copy, since what is dead leaves it at once."""

    def __init__(self, other: Any = None) -> None:
        super().__init__()
        self._remove = self.data.__delitem__
        if other is not None:
            self.update(other)

    def __iter__(self) -> Iterator[Any]:
        return iter([key for found in list(self.data) if (key := found()) is not None])

    keys = __iter__

    def items(self) -> Any:
        return iter(
            [(key, value) for found, value in list(self.data.items()) if (key := found()) is not None]
        )

    def values(self) -> Any:
        return iter([value for _, value in self.items()])


if sys.version_info < (3, 12):  # asked for by name, whenever a traced thread meets its first greenlet
    weakref.WeakKeyDictionary = Untraced  # type: ignore[misc]
