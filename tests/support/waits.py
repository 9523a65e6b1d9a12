"""Waiting for what must come. How long it takes is no claim of the test, so nobody waits less than PATIENCE."""

import asyncio
import inspect
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds: on a machine that has other things to do anything may take long

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
"""Counts the sessions of this database that wait for a lock. `pg_locks` shows those of other tests' databases too."""


async def until(what: Callable[[], Any], pause: float = 0.01) -> Any:
    """The first true value of `what()`, which may be awaitable."""
    async with asyncio.timeout(PATIENCE):
        while True:
            value = what()
            if inspect.isawaitable(value):
                value = await value
            if value:
                return value
            await asyncio.sleep(pause)


def eventually(what: Callable[[], Any], said: str, pause: float = 0.05, *, patience: float = PATIENCE) -> Any:
    """The same where there is no event loop."""
    deadline = time.monotonic() + patience
    while True:
        if value := what():
            return value
        assert time.monotonic() < deadline, f"not within {patience:g} s: {said}"
        time.sleep(pause)


def freeze(pid: int) -> None:
    """SIGSTOP, and it has stopped: between the signal and its effect it might still answer."""
    os.kill(pid, signal.SIGSTOP)
    stat = Path(f"/proc/{pid}/stat")
    eventually(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", "it has stopped", 0.001)
