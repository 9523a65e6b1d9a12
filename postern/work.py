"""The worker's process: it waits for PostgreSQL, and for the end of a fence, and works until it is stopped."""

import asyncio
import gc
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

from core.database_options import BadSettings
from core.settings import Settings
from core.tasks import end
from postern.process import LAST_SECONDS, exit_after, settle

if TYPE_CHECKING:
    from engine.restore.fence import Fence
    from engine.sinks.apart import SinkWorker
    from engine.worker import Worker
    from runtime.webhook_documents import DocumentRunner

log = structlog.get_logger("postern.process")

_AGAIN = 1.0  # seconds until a worker that can't begin looks again


async def work(settings: Settings, *, child: bool = False, sinks: bool = False) -> None:
    """Runs a worker, or a process that publishes to `sinks` alone, until SIGTERM or SIGINT; a child also ends when its
    parent has ended.

    A worker that finds its database restored ends, and another one begins: it waits for `postern resume`.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    watch = asyncio.create_task(until_orphaned(ended.set)) if child else None
    try:
        while not ended.is_set():
            await _work_until(ended, settings, sinks=sinks)
    finally:
        if watch is not None:
            watch.cancel()


async def _work_until(ended: asyncio.Event, settings: Settings, *, sinks: bool) -> None:
    """Runs a worker until the event, or until the database turns out to be a restored one."""
    from engine.restore.fence import fence_of
    from engine.sinks.apart import SinkWorker
    from engine.worker import Worker
    from runtime import webhook_documents as documents
    from runtime.services import services

    bounds: list[threading.Timer] = []
    try:
        async with services(settings, "postern-sinks" if sinks else "postern-worker") as opened:
            documents.register(opened, _document_runner)
            worker, fence = SinkWorker(opened) if sinks else Worker(opened), fence_of(opened)
            settle()
            # A batch is five hundred messages that live for milliseconds: collecting them costs more than keeping them.
            gc.set_threshold(100_000, 50, 100)
            running = asyncio.create_task(_run_worker(worker, fence))
            ends = [asyncio.create_task(ended.wait()), asyncio.create_task(fence.raised.wait())]
            watching = [asyncio.create_task(_watch(fence))] if sinks else []  # a worker has a round for it
            try:
                await asyncio.wait([running, *ends], return_when=asyncio.FIRST_COMPLETED)
                if not running.done():
                    worker.stop()
                    bounds.append(exit_after(settings.shutdown_seconds + LAST_SECONDS))
                await running
            finally:
                await end([running, *ends, *watching])
    finally:
        for bound in bounds:
            bound.cancel()


async def _run_worker(worker: "Worker | SinkWorker", fence: "Fence") -> None:
    """Runs a worker once the schema is one that this release knows, and the database is not fenced. Raises BadSettings
    if the schema is newer.

    An outage of PostgreSQL does not end a worker, so the check waits until PostgreSQL answers or the worker is stopped.
    """
    from db.migrate import pending

    stopping, logged = worker.services.stopping, False
    while not stopping.is_set():
        try:
            await pending(worker.services.db.engine)
            is_open = await fence.look()
        except BadSettings:
            raise
        except Exception as error:  # whatever an unreachable server makes its client raise
            log.warning(
                "PostgreSQL is away; the worker waits for it", error=f"{type(error).__name__}: {error}"[:300]
            )
        else:
            if is_open:
                fence.guard(refuses=True)
                await worker.run()
                return
            if not logged:
                log.error(
                    "the worker waits: the database was restored; see `postern doctor` and `postern resume`"
                )
                logged = True
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _AGAIN)


async def _watch(fence: "Fence") -> None:
    """Looks at the fence as often as a worker does."""
    from engine.restore.fence import BEAT_SECONDS

    while True:
        await asyncio.sleep(BEAT_SECONDS)
        with suppress(Exception):  # whatever an unreachable server makes its client raise
            await fence.look()


def _document_runner() -> "DocumentRunner":
    """Imports the schema when a webhook's first document is used: most workers never need it."""
    from schema.webhook_documents import runner

    return runner()


async def until_orphaned(stop: Any) -> None:
    """Stops the worker when standard input ends, which happens when the parent ends, even by SIGKILL."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()
    stop()
