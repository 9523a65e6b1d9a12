"""Processes of users' programs that get no processor time."""

import asyncio
import os
import signal

from core.ids import uuid7
from runtime.programs import Programs, pool


async def stop_processes(programs: Programs) -> list[int]:
    """Starts all processes of users' programs and stops them, like processes that others leave no processor time.

    Returns their ids. A task that comes to one of them ends it after `pool._STRETCH` and the seconds of the task.
    """
    task = {"sources": [], "sms": []}
    await asyncio.gather(*(programs.run(uuid7(), "check", task) for _ in range(pool.PROCESSES)))
    for pid in (pids := programs.pids()):
        os.kill(pid, signal.SIGSTOP)
    return pids
