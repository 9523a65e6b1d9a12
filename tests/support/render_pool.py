"""Processes of the render pool that get no processor time."""

import asyncio
import os
import signal

from core.ids import uuid7
from runtime.render_pool import RenderPool, pool


async def stop_processes(render_pool: RenderPool) -> list[int]:
    """Starts all processes of the render pool and stops them, like processes that others leave no processor time.

    Returns their ids. A task that comes to one of them ends it after `pool._STRETCH` and the seconds of the task.
    """
    task = {"sources": [], "sms": []}
    await asyncio.gather(*(render_pool.run(uuid7(), "check", task) for _ in range(pool.PROCESSES)))
    for pid in (pids := render_pool.pids()):
        os.kill(pid, signal.SIGSTOP)
    return pids
