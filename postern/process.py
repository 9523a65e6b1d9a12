"""The process tree of `postern serve`: the API in this process, workers and embedded servers as children.

Children never outlive this process: a worker watches the pipe that is its standard input, and each embedded server
has a keeper. A child that dies is started again.
"""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
import uvicorn

from core.database_options import BadSettings
from core.installation import ROOT
from core.settings import Settings
from postern.interrupts import end_if_interrupted
from postern.port_holder import port_holder

if TYPE_CHECKING:
    from postern.app import Application
    from runtime.services import Services

log = structlog.get_logger("postern.process")

_MIGRATION = 86_400.0  # seconds a statement of a migration may take
_TICK = 1.0  # seconds between two looks of the server
LAST_SECONDS = (
    2.0  # after the drain and the shutdown, to close what is open, and again for threads that still run
)
WORKING_SECONDS = 30.0  # until the start is announced without a worker
FAILED_SECONDS = 30.0  # after a failure, to find out and to say what is wrong


class Server(uvicorn.Server):
    """uvicorn without its own signal handlers: this module orders the stop (drain, workers, servers).

    It looks once a second, for the header `date`, where uvicorn looks ten times a second whether it has to stop: half
    of what an idle API process does.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        self._exit = asyncio.Event()
        super().__init__(config)

    @property
    def should_exit(self) -> bool:
        """Returns whether the server has to stop."""
        return self._exit.is_set()

    @should_exit.setter
    def should_exit(self, value: bool) -> None:
        (self._exit.set if value else self._exit.clear)()

    async def main_loop(self) -> None:
        """Serves until the stop."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK):
                    await self._exit.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def listening(settings: Settings) -> Iterator[list[socket.socket]]:
    """Yields the sockets for the API, bound before anything else is started. Raises BadSettings for an address that
    can't be used.

    They do not listen before the API can answer: a load balancer would send requests to a process that still starts.
    """
    where = f"{settings.host}:{settings.port}"
    with ExitStack() as stack:
        try:
            addresses = socket.getaddrinfo(
                settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
            taken = [stack.enter_context(_bound(family, address)) for family, _, _, _, address in addresses]
        except socket.gaierror as error:
            raise BadSettings(
                f"POSTERN_HOST is {settings.host!r}, which is not an address: {error.strerror}."
            ) from error
        except OSError as error:
            raise BadSettings(
                _WHY_NOT.get(error.errno or 0, _CANNOT).format(
                    where, error.strerror, port_holder(settings.port) or "another program"
                )
            ) from error
        yield taken


_CANNOT = "Can't listen on {0}: {1}."
_WHY_NOT = {
    errno.EADDRINUSE: "{0} is in use by {2}. Stop that one, or choose another port: --port, POSTERN_PORT.",
    errno.EACCES: "Only root may listen on {0}. Choose a port from 1024 on: --port, POSTERN_PORT.",
    errno.EADDRNOTAVAIL: "This machine has no address {0}. Choose another one: --host, POSTERN_HOST.",
}


def _bound(family: int, address: Any) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as asyncio does
        try:
            # Without SO_REUSEADDR the port is ours alone, although no socket listens there yet.
            made.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            # Connections of a process that has just ended may still be known to the system.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    except OSError:
        made.close()
        raise
    return made


def require_routes(settings: Settings) -> None:
    """Raises channels.BadDsn unless the settings of channels can be used. Nothing has to be started to know it."""
    from runtime.routes import Routes

    Routes(settings)


def require_doors(settings: Settings) -> None:
    """Raises BadSettings unless the doors that are switched on can be opened."""
    if settings.smtp_listen:
        from doors import smtp

        smtp.require_usable(settings)


def served(settings: Settings, sockets: Sequence[socket.socket]) -> Settings:
    """Returns the settings with the port that is served: port 0 picks one."""
    port: int = sockets[0].getsockname()[1]
    return settings.model_copy(update={"port": port})


async def prepare(settings: Settings) -> bool:
    """Brings the schema up to date, and returns whether it had to. Several processes may call it at once."""
    from db.migrate import pending, upgrade
    from db.session import Database

    # The timeout of requests must not stop a migration, nor the wait for another process that migrates.
    patient = settings.database.model_copy(update={"statement_timeout": _MIGRATION})
    db = Database.of(settings, "postern-migrate", options=patient)
    try:
        if await pending(db.engine):
            end_if_interrupted()
            log.info("migrating the database")
            await upgrade(db.engine)
            return True
        return False
    finally:
        await db.close()


async def serve(
    settings: Settings,
    sockets: Sequence[socket.socket],
    ready: Callable[[int, bool], None] = lambda _, __: None,
    *,
    embedded: bool = False,
) -> None:
    """Serves until SIGTERM or SIGINT, drains for `drain_seconds`, and ends within `shutdown_seconds`. `ready(port,
    works)` is called once, when a worker of this tree works, or after `WORKING_SECONDS` without one.

    SIGINT comes from a person who waits for the end, so there is no drain; a second signal ends it.

    `embedded`: the settings are those of `embedded`, with servers that this process has started.
    """
    from core.http.limits import BoundedHttp, BoundedSocket
    from postern.app import make_app

    end_if_interrupted()
    stop, hurry = asyncio.Event(), asyncio.Event()

    def signaled(number: int) -> None:
        if stop.is_set() or number == signal.SIGINT:
            hurry.set()
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, signaled, number)
    app = make_app(settings, embedded=embedded)
    server = Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            # x-forwarded-for would be believed from every local client; Postern uses x-real-ip (specification §5).
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, int(settings.shutdown_seconds) - 2),
            http=BoundedHttp,
            ws=BoundedSocket,
            ws_max_size=1024 * 1024,
        )
    )
    began = time.time() - 1
    commands = ["worker"] * settings.workers + (["smtpd"] if settings.smtp_listen else [])
    workers = [asyncio.create_task(_child(settings, stop, command)) for command in commands]
    settle()
    for each in sockets:  # its connections inherit this, so that the next process can bind the port at once
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    serving = asyncio.create_task(server.serve(list(sockets)))
    try:
        await _until_started(server, serving)
        if not serving.done():
            works = settings.workers == 0 or await _is_working(app.services, serving, stop, began)
            if not (stop.is_set() or serving.done()):
                ready(sockets[0].getsockname()[1], works)
        await asyncio.wait([serving, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _drain(app, server, serving, workers, stop, hurry)


async def _until_started(server: Server, serving: "asyncio.Task[None]") -> None:
    while not server.started and not serving.done():  # noqa: ASYNC110  uvicorn has no event for it
        await asyncio.sleep(0.02)


async def _is_working(
    services: "Services", serving: "asyncio.Task[None]", stop: asyncio.Event, began: float
) -> bool:
    """Waits until a worker reports that has started since `began`. Returns False if none does in WORKING_SECONDS, or if
    the server ends before.
    """
    from runtime.workers import living

    began += services.db.now().timestamp() - time.time()  # workers report the database's time
    with suppress(TimeoutError):
        async with asyncio.timeout(WORKING_SECONDS):
            while not (stop.is_set() or serving.done()):
                with suppress(Exception):  # whatever an unreachable Redis makes its client raise
                    if any(each.started >= began for each in await living(services.store)):
                        return True
                await asyncio.sleep(0.1)
    return False


async def _drain(
    app: "Application",
    server: Server,
    serving: "asyncio.Task[None]",
    workers: "list[asyncio.Task[None]]",
    stop: asyncio.Event,
    hurry: asyncio.Event,
) -> None:
    stop.set()
    bound = exit_after(app.settings.drain_seconds + app.settings.shutdown_seconds + LAST_SECONDS)
    try:
        app.drain()
        if server.started:
            with suppress(TimeoutError):
                await asyncio.wait_for(hurry.wait(), app.settings.drain_seconds)
        app.services.stopping.set()  # ends the subscriptions, which have no end of their own
        server.should_exit = True
        await asyncio.gather(serving, *workers, return_exceptions=True)
    finally:
        bound.cancel()  # embedded servers are stopped next, and have bounds of their own
    if serving.done() and not serving.cancelled() and (error := serving.exception()):
        raise error


def exit_after(seconds: float) -> threading.Timer:
    """Ends this process after so many seconds, whatever still hangs then: a thread in a system call, for instance.

    The caller cancels it when the process has come further.

    asyncio waits without a bound for the threads of its executor. A thread of our own is not stopped by a loop that
    does not move. What an embedded server or a worker does when its parent ends abruptly, it does then.
    """

    def exit_now() -> None:
        log.error("the process did not stop in time, and is ended", seconds=seconds)
        os._exit(1)

    timer = threading.Timer(seconds, exit_now)
    timer.daemon = True
    timer.start()
    return timer


async def _child(settings: Settings, stop: asyncio.Event, command: str) -> None:
    """Runs one process of a command, and starts it again whenever it dies."""
    pause = 0.2
    while not stop.is_set():
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # a folder named `db` or `schema` where Postern was started is not ours
            "-m",
            "postern",
            command,
            "--child",
            env=_environment(settings),
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,  # so that a Ctrl-C does not stop workers before the API has drained
        )
        stopping = asyncio.create_task(stop.wait())
        ending = asyncio.create_task(child.wait())
        await asyncio.wait([stopping, ending], return_when=asyncio.FIRST_COMPLETED)
        if not ending.done():
            with suppress(ProcessLookupError):
                child.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(ending), settings.shutdown_seconds)
            with suppress(ProcessLookupError):
                if not ending.done():
                    child.kill()
            await ending
        stopping.cancel()
        if not stop.is_set():
            died = f"a {command} died and is started again"
            log.error(died, code=ending.result(), pause=pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
            pause = min(pause * 2, 5.0)


def _environment(settings: Settings) -> dict[str, str]:
    """Returns our environment with the servers and keys that we made, so that the child uses the same."""
    assert settings.db_string is not None
    assert settings.redis_url is not None
    assert settings.secret_key is not None
    environment = {
        **os.environ,
        "DB_STRING": settings.db_string.get_secret_value(),
        "REDIS_URL": settings.redis_url.get_secret_value(),
        "POSTERN_SECRET_KEY": settings.secret_key.get_secret_value(),
        "PYTHONPATH": str(ROOT),
        # Links that a worker makes name the address that this process serves.
        "POSTERN_HOST": settings.host,
        "POSTERN_PORT": str(settings.port),
    }
    if settings.db_direct_string is not None:
        environment["DB_DIRECT_STRING"] = settings.db_direct_string.get_secret_value()
    if settings.jwt_key is not None:
        environment["POSTERN_JWT_KEY"] = settings.jwt_key.get_secret_value()
    return environment


def settle() -> None:
    """Excludes all present objects from garbage collection: what a start has made stays until the end."""
    gc.freeze()
    # A few requests at once have more objects than Python's 700, so a collection looked at each several times in vain.
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


def filled(folder: Path) -> Path:
    """Returns the path of the file that marks a data folder as filled with demo data."""
    return folder / ".filled"
