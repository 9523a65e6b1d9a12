"""The child process: runs one task after the other from its standard input, and writes the answers to its output.

It has no environment, database or network access. The processor time of each task is limited by a timer (setitimer(2)),
which interrupts Python code anywhere; the parent ends code that can't be interrupted.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from typing import Any

from core.priority import lower_priority
from engine.render_worker.tasks import TASKS
from runtime.render_pool import frames

_MEMORY = 512 * 2**20  # bytes of address space
_NICE = 15
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


class _OutOfTime(BaseException):
    """The task has used up its processor time. A BaseException, so that no library's `except Exception` catches it."""


class _Timer:
    def __init__(self) -> None:
        self.runs = False
        signal.signal(signal.SIGPROF, self._ring)

    def _ring(self, *_: Any) -> None:
        if self.runs:
            raise _OutOfTime

    def start(self, seconds: float) -> None:
        self.runs = True
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.05)  # repeats, in case something caught the first one

    def stop(self) -> None:
        self.runs = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    """Answers tasks until the input ends."""
    _bound()
    source, out, timer = sys.stdin.buffer, sys.stdout.buffer, _Timer()
    frames.write(out, {"ready": os.getpid()})
    while True:
        try:
            task = frames.read(source)
        except EOFError:
            return
        frames.write(out, _answer(task, timer))


def _answer(task: dict[str, Any], timer: _Timer) -> dict[str, Any]:
    try:
        timer.start(task["seconds"])
        try:
            return {"done": TASKS[task["name"]](**task["arguments"])}
        finally:
            timer.stop()
    except (_OutOfTime, MemoryError, RecursionError):
        return {"too_complex": True}
    except Exception as error:  # a bug: report its type, and nothing of the text's content
        return {"bug": type(error).__name__}


def _bound() -> None:
    with suppress(OSError):
        lower_priority(_NICE)
    with suppress(Exception):  # prctl does not exist on this system
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main()
