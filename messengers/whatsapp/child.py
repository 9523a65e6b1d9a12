"""The child process: `python -m messengers.whatsapp.child`, one linked device. frames.py describes its frames.

Frames arrive on standard input and leave on the original standard output; the library's own output is discarded. The
child ends with its parent: the kernel kills it (PR_SET_PDEATHSIG), and it ends itself when its input ends or when the
account may belong to another process (deadlines.py). It ignores signals that a service manager sends to the whole
group; the parent handles them.

The library acknowledges a message to WhatsApp before its event is stored, so each event is first written into a journal
(journal.py). An orderly end first disconnects, and then waits until the library is idle and the driver has stored
every event. Events that were not acknowledged come again.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from messengers.bugs import BUGS
from messengers.whatsapp import folder, frames, leftovers
from messengers.whatsapp.binding import Library, NotInstalled
from messengers.whatsapp.cache import MessageCache
from messengers.whatsapp.deadlines import wait_for_the_end
from messengers.whatsapp.device import Device
from messengers.whatsapp.errors import Failed, trace_of
from messengers.whatsapp.journal import Journal

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_CALLS = 8  # at once
# seconds without an event or a write of the library, after which it has handled all that came before the disconnect
_IDLE = 0.3


class Pipes:
    """Writes frames to the driver."""

    def __init__(self, out: int) -> None:
        self._out = out
        self._lock = threading.Lock()

    def say(self, head: dict[str, Any], data: bytes = b"") -> None:
        """Sends a frame."""
        with self._lock, suppress(OSError):  # the driver is gone; the end of the input ends this process
            frames.write_to(self._out, head, data)

    def send_event(self, number: int, event: Any) -> None:
        """Sends an event of the journal."""
        try:
            self.say({"k": "event", "n": number, "e": event})
        except frames.Broken:  # no message of a person is this large
            self.say({"k": "event", "n": number, "e": {"t": "bug", "what": "a huge event"}})


def main() -> NoReturn:
    """Runs the child until its end, and exits."""
    with suppress(Exception):
        _run()
    _gone()


def _run() -> None:
    _guard()
    os.umask(0o077)
    inward, pipes = os.dup(0), Pipes(os.dup(1))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    first = frames.read_from(inward)
    if first is None or first[0]["k"] != "start":
        return
    start = first[0]
    threading.Thread(target=_watch, args=(int(start["deadline"]),), daemon=True).start()
    try:
        library = Library()
    except NotInstalled as error:
        pipes.say({"k": "missing", "reason": str(error)})
        return
    pipes.say({"k": "hello", "version": library.version})
    directory = Path(start["folder"])
    cache = MessageCache(directory / folder.CACHE)
    client = library.client(directory / folder.DEVICE)
    journal = cache.journal()
    device = Device(library, client, cache, start.get("phone"), journal.add)
    client.on_login = device.login_ended
    threading.Thread(target=journal.deliver, args=(pipes.send_event,), daemon=True).start()
    threading.Thread(
        target=_connect, args=(library, client, start.get("proxy"), journal), daemon=True
    ).start()
    with ThreadPoolExecutor(_CALLS, "call") as pool:
        end = partial(_end, device, journal, pipes, directory)
        _attend(inward, pipes, journal, pool, device, end)
        leftovers.leave(directory, folder.CACHE)  # the parent, the only user of the folder, is gone
        _gone()  # running calls are not waited for


def _attend(
    inward: int,
    pipes: Pipes,
    journal: Journal,
    pool: ThreadPoolExecutor,
    device: Device,
    end: Callable[[], None],
) -> None:
    """Handles frames until the parent is gone. Runs `end` in a thread when the parent asks for the end."""
    while True:
        try:
            frame = frames.read_from(inward)
        except frames.Broken:
            return
        if frame is None:
            return
        head, data = frame
        match head["k"]:
            case "call":
                pool.submit(_answer, device, pipes, head, data)
            case "ack":
                journal.stored(head["n"])
            case "ping":
                pipes.say({"k": "pong", "id": head["id"]})
            case "bye":
                threading.Thread(target=end, daemon=True).start()


def _end(device: Device, journal: Journal, pipes: Pipes, directory: Path) -> NoReturn:
    """Disconnects, waits until all that came before is stored, and exits. The parent bounds the time.

    `settled`: the library has handled all that came before, so the Signal sessions change no more; some of its events
    may still be in the journal.
    """
    # WhatsApp may be slow to answer the close, but nothing more is read from the connection
    threading.Thread(target=_disconnect, args=(device,), daemon=True).start()
    seen, idle_since, handled_at, settled = None, time.monotonic(), time.monotonic(), False
    while time.monotonic() - idle_since < (_IDLE if device.is_logged_in else 0.0):
        time.sleep(0.02)
        now = (device.events_handled, folder.changes_of(directory / folder.DEVICE))
        if now != seen or device.is_handling:
            seen, handled_at = now, time.monotonic()
        elif not settled and time.monotonic() - handled_at >= _IDLE:
            settled = True
            pipes.say({"k": "settled"})
        if handled_at > idle_since or not journal.is_empty:
            idle_since = time.monotonic()
    pipes.say({"k": "bye"})
    _gone()


def _disconnect(device: Device) -> None:
    with suppress(Exception):
        device.disconnect()


def _answer(device: Device, pipes: Pipes, head: dict[str, Any], data: bytes) -> None:
    answer: dict[str, Any] = {"k": "answer", "id": head["id"]}
    out = b""
    try:
        answer["value"], out = device.call(head["do"], head["args"], data)
    except Failed as failed:
        answer["error"] = {
            "kind": failed.kind, "reason": failed.reason, "code": failed.code, "seconds": failed.seconds,
            "trace": failed.trace,
        }  # fmt: skip
    pipes.say(answer, out)


def _connect(library: Library, client: Any, proxy: str | None, journal: Journal) -> None:
    """Connects; blocks for as long as the connection lives."""
    why = "ended"
    try:
        client.connect(library.proxy(proxy))
    except BUGS as error:
        journal.add({"t": "broken", "trace": trace_of(error)})
        return
    except Exception:  # the error text contains hosts and the proxy
        why = "unreachable"
    journal.add({"t": "over", "why": why})


def _watch(deadline: int) -> None:
    """Ends the process when another process may take the account over: the parent is frozen, or has lost its lease."""
    wait_for_the_end(deadline)
    _gone()


def _guard() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        _gone()
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would contain the device's keys


def _gone() -> NoReturn:
    """Exits at once: Go's threads can't be joined."""
    os._exit(0)


if __name__ == "__main__":
    main()
