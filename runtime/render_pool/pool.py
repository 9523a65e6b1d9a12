"""The service's side: a few child processes, a fair queue before them, and one task per user at a time."""

import asyncio
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import structlog

from core.errors import RateLimited, Unavailable
from core.installation import ROOT
from runtime.fair_queue import Bounds, FairQueue
from runtime.render_pool import frames

log = structlog.get_logger("postern.render_pool")

PROCESSES: Final = 2
WAITING: Final = 64  # waiting tasks of all users
WAITING_PER_NETWORK: Final = 32  # waiting tasks of the users of one network
WAITING_PER_USER: Final = 5  # waiting tasks of one user
QUEUE_SECONDS: Final = 10.0  # seconds that a task may wait for its turn, and again for a process
SECONDS: Final = 1.0  # seconds of processor time of one task
_START: Final = 20.0  # seconds that a process may take to start
_STRETCH: Final = 10.0  # additional wall-clock seconds: a niced process on a busy machine is slow
_INHERITED: Final = ("PATH", "PYTHONPATH", "SYSTEMROOT", "COVERAGE_PROCESS_START")


class TooComplex(Exception):
    """A task used up its processor time or its memory."""


class _Died(Exception):
    """The child process ended, or could not be started."""


class _Starved(Exception):
    """A task got too little processor time to end; its process is gone."""


class _Stuck(Exception):
    """A task used up its processor time without being interrupted; its process is gone."""


class _Child:
    """One child process. Its methods block, and are called by one thread at a time."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "engine.render_worker"], cwd=ROOT, env={**environment, "PYTHONUTF8": "1"},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C goes to the service, which ends the child
            )  # fmt: skip
        except OSError as error:
            raise _Died from error
        try:
            self._read(_START)
        except (TimeoutError, _Died) as error:
            self.kill()
            raise _Died from error

    def ask(self, task: Mapping[str, Any], seconds: float) -> Any:
        """Runs a task. Raises TooComplex, _Died, _Starved, _Stuck. After the last three the process is gone."""
        before = self._processor_seconds()
        try:
            frames.write(cast(Any, self._process.stdin), task)
            answer = self._read(seconds + _STRETCH)
        except TimeoutError as error:
            used = self._processor_seconds() - before
            self.kill()
            raise _Starved if used < seconds else _Stuck from error
        except (_Died, OSError, ValueError) as error:
            self.kill()
            raise _Died from error
        if "too_complex" in answer:
            raise TooComplex
        if "bug" in answer:
            raise RuntimeError(f"a task of a users' program broke: {answer['bug']}")
        return answer["done"]

    def _read(self, seconds: float) -> Any:
        """Reads one frame. Raises TimeoutError, _Died."""
        out, until, got = cast(Any, self._process.stdout), time.monotonic() + seconds, bytearray()
        expected = frames.HEAD.size
        with selectors.DefaultSelector() as ready:
            ready.register(out, selectors.EVENT_READ)
            while True:
                if not ready.select(max(0.0, until - time.monotonic())):
                    raise TimeoutError
                piece = os.read(out.fileno(), 1 << 20)
                if not piece:
                    raise _Died
                got += piece
                if expected == frames.HEAD.size and len(got) >= expected:
                    expected += frames.HEAD.unpack_from(got)[0]
                if expected > frames.MOST:
                    raise _Died
                if expected > frames.HEAD.size and len(got) >= expected:
                    return frames.decode(got[frames.HEAD.size : expected])

    def _processor_seconds(self) -> float:
        """Returns the processor time that the process has used, from proc(5); 0 where there is none to read."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        with suppress(OSError):
            self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        with suppress(Exception):
            self._process.wait(5)

    @property
    def pid(self) -> int:
        return self._process.pid


class _Pool:
    """The child processes, shared by all users of this process. Threads wait for them, not the event loop."""

    def __init__(self, processes: int) -> None:
        self._threads = ThreadPoolExecutor(processes, "postern-render")
        self._idle: list[_Child] = []
        self._lock = threading.Lock()

    async def ask(self, task: Mapping[str, Any], seconds: float) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, task, seconds)

    def _ask(self, task: Mapping[str, Any], seconds: float) -> Any:
        with self._lock:
            child = self._idle.pop() if self._idle else None
        if child is None:
            child = _Child()
        whole = False
        try:
            answer = child.ask(task, seconds)
            whole = True
            return answer
        except (TooComplex, RuntimeError):
            whole = True
            raise
        finally:
            if whole:
                with self._lock:
                    self._idle.append(child)

    def pids(self) -> list[int]:
        with self._lock:
            return [child.pid for child in self._idle]

    def end(self) -> None:
        """Ends the idle processes; the next task starts new ones."""
        with self._lock:
            children, self._idle = self._idle, []
        for child in children:
            child.kill()


_POOL = _Pool(PROCESSES)
_PICTURES = _Pool(PROCESSES)


class RenderPool:
    """Runs what users write: texts and schedules. There is one per service."""

    def __init__(self, pool: _Pool = _POOL) -> None:
        self._pool = pool
        self._queue = FairQueue(_bounds(), _busy)

    async def run(
        self,
        owner: UUID | None,
        name: str,
        arguments: Mapping[str, Any],
        *,
        seconds: float = SECONDS,
        network: str | None = None,
    ) -> Any:
        """Returns the answer of the task `name` (engine/render_worker/tasks.py).

        `owner`: its user, or None for the service itself; `network`: where the request comes from, if one asks.

        Raises TooComplex, RateLimited (`programs_busy`) when too much waits, Unavailable
        (`programs_unavailable`).
        """
        async with self.alone(owner, network):
            return await self.run_alone(owner, name, arguments, seconds=seconds)

    async def run_alone(
        self, owner: UUID | None, name: str, arguments: Mapping[str, Any], *, seconds: float = SECONDS
    ) -> Any:
        """Does what `run` does, for a caller that is inside `alone`. Raises the same errors."""
        async with self._queue.slot(owner):
            try:
                return await self._pool.ask(
                    {"name": name, "arguments": arguments, "seconds": seconds}, seconds
                )
            except _Stuck as error:
                raise TooComplex from error
            except _Starved as error:
                log.warning("a render process got too little processor time", task=name)
                raise _unavailable() from error
            except _Died as error:
                log.warning("a render process died", task=name)
                raise _unavailable() from error

    def alone(self, owner: UUID | None, network: str | None = None) -> AbstractAsyncContextManager[None]:
        """Waits until no other task of this user runs, and keeps others waiting: for work that is more than one task.

        Raises RateLimited (`programs_busy`) when too much waits.
        """
        return self._queue.alone(owner, network)

    def pids(self) -> list[int]:
        """Returns the ids of the idle processes."""
        return self._pool.pids()

    async def close(self) -> None:
        """Ends the idle processes."""
        await asyncio.to_thread(self._pool.end)


def of_pictures() -> RenderPool:
    """Returns the pool that decodes pictures. Its processes and its queue are its own: a picture may take several times
    as long as a text, and keeps none waiting.
    """
    return RenderPool(_PICTURES)


def _bounds() -> Bounds:
    return Bounds(
        slots=PROCESSES,
        slots_per_network=PROCESSES,  # a task is short
        waiting=WAITING,
        per_user=WAITING_PER_USER,
        per_network=WAITING_PER_NETWORK,
        seconds=QUEUE_SECONDS,
    )


def _unavailable() -> Unavailable:
    return Unavailable(
        "Texts, schedules and pictures can't be processed right now. Try again in a moment.",
        code="programs_unavailable",
        headers={"Retry-After": "2"},
    )


def _busy() -> RateLimited:
    return RateLimited(
        "Too many texts, schedules, plans and pictures are being processed, for you, your network or all users. Try"
        " again in a moment.",
        code="programs_busy",
        headers={"Retry-After": "2"},
    )
