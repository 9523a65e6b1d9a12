"""A child process as the driver sees it. The child's output is not trusted."""

import asyncio
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from messengers.whatsapp import frames
from messengers.whatsapp.deadlines import deadlines
from messengers.whatsapp.errors import Failed

log = structlog.get_logger()

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "messengers.whatsapp.child")
_INHERITED = (
    "PATH",
    "PYTHONPATH",
    "SYSTEMROOT",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "LANG",
    "LD_LIBRARY_PATH",
)
_TAIL = 32  # lines of its standard error that are searched after a crash
_LINE = 2048
_TELLING = re.compile(r"^(panic: |fatal error: |SIG[A-Z]+: |main\.|go\.mau\.fi/|\S+Error: )")
_SECRET = re.compile(r"\d{5,}|[A-Za-z0-9+/=]{24,}|[^\s@]+@[^\s@]+")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Time limits, in seconds."""

    hello: float = 60.0  # to load the library
    call: float = 20.0
    send: float = 100.0  # the library itself waits 75 s for WhatsApp's answer
    medium: float = 240.0  # to upload or download a file
    beat: float = 2.0  # between pings
    stuck: float = 20.0  # without an answer to any ping
    login: float = 60.0  # from a scan, or a pairing, to the login
    stop: float = 4.5  # to disconnect, hand over what came, and end


class Gone(Exception):
    """The child ended, or never started. `left`: the call had been sent to it."""

    def __init__(self, *, left: bool) -> None:
        super().__init__("The child process is gone.")
        self.left = left


class Silent(Exception):
    """No answer came in time. `left`: the call had been sent to the child."""

    def __init__(self, *, left: bool) -> None:
        super().__init__("The child process gave no answer in time.")
        self.left = left


class Child:
    """One child process and the calls that wait for its answers."""

    def __init__(self, process: asyncio.subprocess.Process, bounds: Bounds, deadline: int) -> None:
        """`deadline` is our end of the pipe of deadlines.py."""
        self.process, self.bounds, self._deadline = process, bounds, deadline
        self.hello = asyncio.Event()
        self.over = asyncio.Event()
        self.missing: str | None = None  # why it could not load the library
        self.broken: str | None = None  # which rule of the protocol it broke
        self.settled = (
            asyncio.Event()
        )  # asked to end, it has handled all that came: its sessions change no more
        self.is_complete = False  # it ended in order, after every event of it was stored
        self.unstored = 0  # events of it that are not stored
        self.events: asyncio.Queue[tuple[int, dict[str, Any]] | None] = asyncio.Queue()
        self.late: asyncio.Queue[tuple[Any, Any]] = asyncio.Queue(maxsize=100)
        self._ids = 0
        self._waiting: dict[int, asyncio.Future[tuple[Any, bytes]]] = {}
        self._abandoned: dict[int, Any] = {}
        self._write_lock = asyncio.Lock()
        self._received_at = time.monotonic()
        self._complaints: deque[str] = deque(maxlen=_TAIL)
        self._ending = False
        self._tasks = [asyncio.create_task(what) for what in (self._listen(), self._complain(), self._beat())]

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        first: Mapping[str, Any],
        bounds: Bounds,
        seconds_left: Callable[[], float],
    ) -> "Child":
        """Starts a child, which ends itself when `seconds_left`, called by another thread, is over. Raises OSError."""
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        theirs, ours = deadlines.open(seconds_left)
        try:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, limit=2**20, pass_fds=(theirs,),
                env=inherited | {"PYTHONUTF8": "1", "GOTRACEBACK": "single", "GOMEMLIMIT": "256MiB",
                    "MALLOC_ARENA_MAX": "2"},
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C goes to the parent, which ends the child
            )  # fmt: skip
        except BaseException:
            deadlines.close(ours)
            raise
        finally:
            os.close(theirs)
        child = cls(process, bounds, ours)
        with suppress(ConnectionError):  # it has died already; `_listen` notices
            await child._write({"k": "start", "deadline": theirs, **first})
        return child

    @property
    def code(self) -> int | None:
        return self.process.returncode

    @property
    def last_words(self) -> list[str]:
        """Returns the relevant lines before a crash, without words that may be a phone, an address or a key."""
        relevant = [_SECRET.sub("…", line) for line in self._complaints if _TELLING.match(line)]
        return relevant[:6]

    async def call(
        self, do: str, args: Mapping[str, Any], data: bytes = b"", *, seconds: float, note: Any = None
    ) -> tuple[Any, bytes]:
        """Runs a call in the child. Raises Failed, Gone, Silent.

        With a `note`, an answer that comes too late is put into `late` with the note.
        """
        self._ids += 1
        id, left = self._ids, False
        future: asyncio.Future[tuple[Any, bytes]] = asyncio.get_running_loop().create_future()
        self._waiting[id] = future
        try:
            async with asyncio.timeout(seconds):
                if self.over.is_set():
                    raise Gone(left=False)
                async with self._write_lock:
                    left = True
                    await self._put({"k": "call", "id": id, "do": do, "args": dict(args)}, data)
                return await future
        except TimeoutError:
            if left and note is not None and len(self._abandoned) < 1000:
                self._abandoned[id] = note
            raise Silent(left=left) from None
        except ConnectionError:
            raise Gone(left=left) from None
        finally:
            self._waiting.pop(id, None)
            if future.done() and not future.cancelled():
                future.exception()  # marks the exception as retrieved when the caller is gone

    async def acknowledge(self, numbers: Sequence[int]) -> None:
        """Tells the child that events are stored."""
        self.unstored -= len(numbers)
        with suppress(ConnectionError, RuntimeError):
            await self._write({"k": "ack", "n": numbers})

    async def leave(self) -> None:
        """Asks the child to disconnect, to hand over its events, and to end; it is killed if it does not in time."""
        if not self._ending:
            self._ending = True
            asyncio.get_running_loop().call_later(self.bounds.stop, self.kill_now)
            with suppress(ConnectionError, RuntimeError, TimeoutError):
                async with asyncio.timeout(self.bounds.stop):
                    await self._write({"k": "bye"})

    async def end(self) -> None:
        """Ends the child by force, if it has not ended. Never raises, and may be called twice."""
        self._ending = True
        await self.kill()
        for task in self._tasks:
            task.cancel()
        deadlines.close(self._deadline)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  avoids a warning at the end

    def kill_now(self) -> None:
        """Kills the child without waiting."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()

    async def kill(self) -> None:
        """Kills the child and waits for its end."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    async def _write(self, head: dict[str, Any]) -> None:
        async with self._write_lock:
            await self._put(head, b"")

    async def _put(self, head: dict[str, Any], data: bytes) -> None:
        assert self.process.stdin is not None
        for part in frames.packed(head, data):
            self.process.stdin.write(part)
        await self.process.stdin.drain()

    async def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while (frame := await frames.read(self.process.stdout)) is not None:
                self._received_at = time.monotonic()
                self._receive(*frame)
        except frames.Broken as error:
            self.broken = str(error)
        except (KeyError, TypeError, ValueError) as error:
            self.broken = f"A frame has not what it must have ({type(error).__name__})."
        if self.broken is not None:
            await self.kill()
        await self.process.wait()
        self.over.set()
        self.hello.set()
        self.settled.set()
        self.events.put_nowait(None)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Gone(left=True))

    def _receive(self, head: dict[str, Any], data: bytes) -> None:
        match head["k"]:
            case "event":
                if self.events.qsize() > 2 * frames.WINDOW:
                    raise ValueError("it tells more than it may")
                self.events.put_nowait((int(head["n"]), dict(head["e"])))
                self.unstored += 1
            case "answer":
                self._answered(int(head["id"]), head, data)
            case "hello":
                log.debug("the WhatsApp library is loaded", version=str(head["version"])[:40])
                self.hello.set()
            case "missing":
                self.missing = str(head["reason"])[:500]
            case "settled":
                self.settled.set()
            case "bye":
                self.is_complete = True
                self.settled.set()
            case "pong":
                pass
            case _:
                raise ValueError("it says something else")

    def _answered(self, id: int, head: dict[str, Any], data: bytes) -> None:
        note = self._abandoned.pop(id, None)
        if note is not None and "error" not in head:
            with suppress(asyncio.QueueFull):
                self.late.put_nowait((note, head["value"]))
        future = self._waiting.get(id)
        if future is None or future.done():
            return
        if "error" in head:
            error = head["error"]
            future.set_exception(
                Failed(
                    error["kind"],
                    str(error["reason"])[:500],
                    error["code"],
                    float(error["seconds"]),
                    str(error.get("trace", ""))[:4000],
                )
            )
        else:
            future.set_result((head["value"], data))

    async def _complain(self) -> None:
        assert self.process.stderr is not None
        while True:
            try:
                line = await self.process.stderr.readline()
            except ValueError:  # a line longer than the limit
                continue
            if not line:
                return
            self._complaints.append(line[:_LINE].decode(errors="replace").rstrip())

    async def _beat(self) -> None:
        """Pings the child, and kills it when it is stuck; its end then counts as a crash."""
        number = 0
        while not self.over.is_set():
            number += 1
            with suppress(ConnectionError, RuntimeError, TimeoutError):
                async with asyncio.timeout(self.bounds.stuck):
                    await self._write({"k": "ping", "id": number})
            if (
                time.monotonic() - self._received_at > self.bounds.stuck + self.bounds.beat
                and not self._ending
            ):
                self.broken = "It gave no answer."
                await self.kill()
                return
            due = time.monotonic() + self.bounds.beat
            await asyncio.sleep(self.bounds.beat)
            # While this process's event loop was busy, the child's answers were not read.
            late = time.monotonic() - due
            self._received_at = min(self._received_at + late, time.monotonic())
