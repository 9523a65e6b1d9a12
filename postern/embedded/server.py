"""Runs an embedded server: one at a time in a folder, started and ended through a keeper.

The layout of a server's home, `DATA_DIR/<server>/`, mode 0700 and ours:

    lock        who runs it (lock.py)
    password    random, mode 0600; the only way in
    server.log  what the server says; emptied at a start when over 10 MB
    data/       the server's own folder, owned by the user that it runs as (account.py)
"""

import contextlib
import os
import secrets
import signal
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

import structlog

from core.private_files import private_folder
from postern.embedded import keeper, processes
from postern.embedded.account import Account, account_of
from postern.embedded.errors import AlreadyRunning, EmbeddedError, StartFailed
from postern.embedded.handle import Command, ServerProcess
from postern.embedded.lock import Lock, acquire, read_note

log = structlog.get_logger(__name__)

HOST = "127.0.0.1"
LOG_LINES = 15  # shown when a start fails
START_SECONDS = 120.0  # long enough for the recovery of a large database after a kill


class Server(ABC):
    """One embedded server. Its methods may be called from any thread."""

    name: ClassVar[str]
    program: ClassVar[str]  # as the kernel shows it in /proc/PID/comm
    orderly: ClassVar[
        keeper.Ladder
    ]  # signals that end it, each with seconds to wait; SIGKILL follows the last
    hurried: ClassVar[keeper.Ladder]  # the same if the parent has died: 5 s at most in all

    def __init__(self, data_dir: Path, *, port: int | None = None) -> None:
        self._home = Path(data_dir).absolute() / self.name.lower()
        self._data = self._home / "data"
        self._log = self._home / "server.log"
        self._asked_port = port
        self._port = port
        self._mutex = threading.RLock()
        self._lock: Lock | None = None
        self._process: ServerProcess | None = None
        self._should_run = False

    # What a subclass adds.

    @abstractmethod
    def _initialise(self) -> None:
        """Makes a complete `self._data`, or leaves it absent."""

    @abstractmethod
    def _command(self, account: Account | None, port: int) -> Command: ...

    @abstractmethod
    def _ready(self, port: int, pid: int) -> bool:
        """Returns whether the server accepts our requests; called every few milliseconds."""

    @abstractmethod
    def _url(self, password: str, port: int) -> str: ...

    # The public methods.

    @property
    def url(self) -> str:
        """Returns the address, with the password in it: never log it. Raises EmbeddedError before the first start."""
        if self._port is None or not self._password_file.exists():
            raise EmbeddedError(f"{self.name} has no address before its first start: call start().")
        return self._url(self._password_file.read_text(), self._port)

    @property
    def pid(self) -> int | None:
        """Returns the process id of the server itself, also after it has died; None when stopped."""
        return (self._process.pid or None) if self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.running

    def start(self) -> None:
        """Starts the server and waits until it accepts requests. Does nothing if it runs already.

        Raises AlreadyRunning if another process (or another object in this one) runs it; StartFailed.
        """
        with self._mutex:
            if self.running:
                return
            begun = time.monotonic()
            self._make_home()
            if self._lock is None:
                self._lock = self._acquire_lock()
            try:
                self._end_leftovers(read_note(self._home / "lock").get("server"))
                self._lock.note()
                self._clear()
                if not self._data.exists():
                    self._initialise()
                self._launch(self._ports())
            except BaseException:
                self._release()
                raise
            self._should_run = True
            self._log_event("embedded_started", begun)

    def ensure(self) -> bool:
        """Starts the server again if it has died, and returns whether it had. Does nothing if it is not to run.

        The address stays the same, since connection pools hold it. Raises StartFailed; then call it again.
        """
        with self._mutex:
            if not self._should_run or self.running:
                return False
            begun = time.monotonic()
            self._clear()
            self._launch([self._port or 0])
            self._log_event("embedded_restarted", begun)
            return True

    def stop(self) -> None:
        """Ends the server in its orderly way and waits for its last process. Does nothing if it is stopped."""
        with self._mutex:
            self._should_run = False
            if self._lock is None:
                return
            try:
                if self._process is not None:
                    self._process.stop()
                self._clear()
            finally:
                self._release()
            log.info("embedded_stopped", server=self.name)

    def kill(self) -> None:
        """Sends SIGKILL, as in a crash, and waits until its children have ended. ensure() starts it again."""
        with self._mutex:
            if self._process is not None and self._process.running:
                os.kill(self._process.pid, signal.SIGKILL)
                self._process.end()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._home} port={self._port} pid={self.pid}>"

    # Folders and files.

    @property
    def _password_file(self) -> Path:
        return self._home / "password"

    def _make_home(self) -> None:
        try:
            private_folder(self._home.parent)
            self._home.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StartFailed(
                f"Cannot make {self._home}: {error.strerror}. Choose another POSTERN_DATA_DIR."
            ) from error
        if os.geteuid() != 0:
            account_of(self._home)  # raises, and names the owner, if the folder is not ours

    def _make_password(self) -> str:
        """Returns the password, made if there is none: 256 random bits, in characters that never need quoting."""
        path = self._password_file
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
                file.write(secrets.token_urlsafe(32))
            fresh.rename(path)
        return path.read_text()

    def _acquire_lock(self) -> Lock:
        path = self._home / "lock"
        try:
            return acquire(path, self.name)
        except AlreadyRunning as error:
            port = read_note(path).get("port")
            if port and self._password_file.exists():
                error.url = self._url(self._password_file.read_text(), port)
            raise

    def _release(self) -> None:
        """Releases the folder. First ends processes that may still run, as they would no longer be supervised."""
        try:
            self._clear()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    # Starting.

    def _ports(self) -> Iterator[int]:
        """Yields the ports to try in turn: the requested one, else the last one, else free ones.

        Another program can take a free port before the server binds it; then the next one is tried.
        """
        if self._asked_port is not None:
            yield self._asked_port
            return
        if self._port is not None and _is_free(self._port):
            yield self._port
        for _ in range(3):
            yield _free_port()

    def _launch(self, ports: Iterable[int]) -> None:
        assert self._lock is not None
        account = account_of(self._data)
        failure: StartFailed | None = None
        for port in ports:
            if not _is_free(port):
                failure = StartFailed(
                    f"{self.name} cannot have port {port}: another program uses it. Stop that one, or choose "
                    "another port."
                )
                continue
            command = self._command(account, port)
            self._process = ServerProcess(
                command, account, self._data, self._log, self._lock.fd, self.orderly, self.hurried
            )
            if self._await(self._process, port):
                self._port = port
                self._lock.note(server=self._process.pid, port=port)
                return
            failure = self._failure(self._process)
            self._clear()
            if _is_free(port):  # the port was not the cause
                break
        assert failure is not None
        raise failure

    def _await(self, process: ServerProcess, port: int) -> bool:
        """Returns whether the server came up. False if it ended instead, or took too long."""
        deadline = time.monotonic() + START_SECONDS
        pause = 0.002
        while process.running and time.monotonic() < deadline:
            if self._ready(port, process.pid):
                return True
            time.sleep(pause)
            pause = min(pause * 1.2, 0.05)
        return False

    def _failure(self, process: ServerProcess) -> StartFailed:
        if process.running:
            how = f"did not answer within {START_SECONDS:.0f} s"
        else:
            process.end()
            how = f"ended with status {process.exit_status} instead of starting"
        return StartFailed(
            f"{self.name} {how}. The last lines of {self._log}:\n{tail(self._log.read_text(errors='replace'))}\n"
            f"Correct the cause. If the data may be lost, remove {self._home} to start with empty data; "
            "or set DB_STRING "
            "and REDIS_URL to use servers of your own."
        )

    # Ending.

    def _clear(self) -> None:
        """Ends all processes of the server that we started, in the hurried way if it still lives."""
        if self._process is not None:
            self._process.end()
            self._end_leftovers(self._process.pid)
            self._process = None

    def _end_leftovers(self, main: int | None) -> None:
        """Ends processes that still work in our folder although their keeper has ended, for example by SIGKILL.

        Only `main`, the server's first process if it is known, gets the milder signals: for its children they mean
        something else (SIGINT tells PostgreSQL's checkpointer to write the last checkpoint). Raises EmbeddedError
        if a process survives even SIGKILL.
        """
        left = self._leftovers(main)
        if not left:
            return
        log.warning("embedded_leftovers", server=self.name, pids=left)
        for number, seconds in [*self.hurried, (signal.SIGKILL, 5.0)]:
            for pid in left:
                if pid == main or number == signal.SIGKILL:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, number)
            deadline = time.monotonic() + seconds
            while left and time.monotonic() < deadline:
                time.sleep(0.02)
                left = self._leftovers(main)
        if left:
            raise EmbeddedError(
                f"{self.name}'s processes {left} still work in {self._data} and cannot be killed. They may hang on "
                "a dead disk or be run by another user: end them, then start again."
            )

    def _leftovers(self, main: int | None) -> list[int]:
        if not self._data.exists():
            return []
        owner = self._data.stat()
        nameless = Account(owner.st_uid, owner.st_gid).nameless
        return processes.working_in(self._data, self.program, owner.st_uid, nameless, main)

    def _log_event(self, event: str, begun: float) -> None:
        took = round((time.monotonic() - begun) * 1000)
        log.info(event, server=self.name, pid=self.pid, port=self._port, ms=took)


def tail(text: str) -> str:
    """Returns the last lines of a log, indented."""
    return "\n".join(f"    {line}" for line in text.splitlines()[-LOG_LINES:])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # as the servers do, so that a connection in TIME_WAIT does not count as in use
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
