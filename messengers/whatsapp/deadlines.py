"""Ends a child when its account may belong to another process than the driver's.

Each child has a pipe for this alone. A thread of the driver's process writes the end of that time into it, so a busy
event loop ends no child. When the process is frozen, or its lease is no longer renewed, no process has to end the
child: it ends itself, before another process may take the account.
"""

import os
import select
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from core.clock import steady

log = structlog.get_logger()

_PAUSE: Final = 1.0  # seconds between two writes
_LOOK: Final = 1.0  # seconds after which a child looks at its clocks: a sleep of the machine wakes no process
_MOMENT = struct.Struct(
    "dd"
)  # on the clock `steady`, which all processes of a machine share, and on the wall


class Deadlines:
    """Writes the deadlines of all children of this process. Its thread lives while there are children."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._children: dict[int, Callable[[], float]] = {}
        self._thread: threading.Thread | None = None

    def open(self, seconds_left: Callable[[], float]) -> tuple[int, int]:
        """Opens a pipe with the first deadline in it. Returns the child's end, and ours, which `close` closes.

        The thread calls `seconds_left`.
        """
        theirs, ours = os.pipe()
        os.set_blocking(ours, False)
        _write(ours, seconds_left())
        with self._lock:
            self._children[ours] = seconds_left
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
                self._thread.start()
        return theirs, ours

    def close(self, ours: int) -> None:
        """Closes our end of a pipe; it may be closed already."""
        with self._lock:  # the thread must not write to a number that has become another file's
            if self._children.pop(ours, None) is not None:
                os.close(ours)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._children:
                    self._thread = None
                    return
                for ours, seconds_left in self._children.items():
                    try:
                        _write(ours, seconds_left())
                    except Exception:
                        log.exception("the deadline of a WhatsApp child can't be written")
            time.sleep(_PAUSE)


def _write(ours: int, seconds: float) -> None:
    if seconds > 0:
        with suppress(BlockingIOError, BrokenPipeError):  # the child is frozen, or has ended
            os.write(ours, _MOMENT.pack(steady() + seconds, time.time() + seconds))


def wait_for_the_end(theirs: int) -> None:
    """Returns when the last deadline is over by either clock, as a lease is. Runs in a thread of the child."""
    until, is_open = (0.0, 0.0), True
    while True:
        left = min(until[0] - steady(), until[1] - time.time())
        # A time that was written while this process could not run counts, so the pipe is read before the deadline.
        ready, _, _ = select.select([theirs] if is_open else [], [], [], min(max(0.0, left), _LOOK))
        if ready:
            data = os.read(theirs, 512 * _MOMENT.size)
            is_open = bool(data)
            if data:
                until = _MOMENT.unpack(data[-_MOMENT.size :])
        elif left <= 0:
            return


deadlines = Deadlines()
