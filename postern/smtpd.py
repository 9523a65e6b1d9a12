"""The process of the door for mail programs: it takes mails until it is stopped, and counts as workers do."""

import asyncio
import os
import signal
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from core.settings import Settings
from core.tasks import end
from postern.doctor.smtpd import ROLE
from postern.process import LAST_SECONDS, exit_after, settle
from postern.work import until_orphaned

if TYPE_CHECKING:
    from runtime.services import Services

log = structlog.get_logger("postern.process")

_AGAIN = 1.0  # seconds until it looks again whether PostgreSQL answers


async def smtpd(settings: Settings, *, child: bool = False) -> None:
    """Takes mails until SIGTERM or SIGINT; a child also ends when its parent has ended. Raises BadSettings."""
    from doors import smtp
    from runtime.services import services
    from runtime.workers import Reporter

    smtp.require_usable(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    tasks = [asyncio.create_task(until_orphaned(stop.set))] if child else []
    async with services(settings, "postern-smtpd", pooler=True) as opened:
        await _until_migrated(opened, stop)
        await opened.learn_time()
        reporter = Reporter(
            opened.store,
            f"{socket.gethostname()}:{os.getpid()}",
            clock=lambda: opened.db.now().timestamp(),
            role=ROLE,
        )
        tasks.append(asyncio.create_task(reporter.run()))
        settle()
        try:
            await smtp.serve(opened, stop)
        finally:
            bound = exit_after(settings.shutdown_seconds + LAST_SECONDS)
            opened.stopping.set()
            await end(tasks)
            await reporter.close()
    bound.cancel()


async def _until_migrated(opened: "Services", stop: asyncio.Event) -> None:
    """Waits until PostgreSQL answers, and its schema is one that this release knows. Raises BadSettings."""
    from core.database_options import BadSettings
    from db.migrate import pending

    while not stop.is_set():
        try:
            if not await pending(opened.db.engine):
                return
            log.warning(
                "the schema is older than this release; smtpd waits for `postern serve` or `postern migrate`"
            )
        except BadSettings:
            raise
        except Exception as error:  # whatever an unreachable server makes its client raise
            log.warning(
                "PostgreSQL is away; smtpd waits for it", error=f"{type(error).__name__}: {error}"[:300]
            )
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _AGAIN)
