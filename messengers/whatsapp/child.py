"""The child process: `python -m messengers.whatsapp.child`, one linked device. frames.py says what goes in and out.

Frames come on standard input and leave on what was standard output; the library's own chatter goes nowhere. It dies
with its parent: the kernel kills it (PR_SET_PDEATHSIG), and the end of its input ends it too; so does a parent that is
silent for too long. Signals that a service
manager sends to all of us are the parent's to answer.
"""

import ctypes
import os
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from messengers.whatsapp import folder, frames
from messengers.whatsapp.binding import Library, NotInstalled
from messengers.whatsapp.judged import Failed
from messengers.whatsapp.kept import Kept
from messengers.whatsapp.linked import Linked

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_CALLS = 8  # at once


class Pipes:
    def __init__(self, out: int) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._window = threading.Semaphore(frames.WINDOW)
        self._count = 0

    def say(self, head: dict[str, Any], data: bytes = b"") -> None:
        with self._lock, suppress(OSError):  # nobody reads any more: the end of the input ends us
            frames.write_to(self._out, head, data)

    def tell(self, event: dict[str, Any]) -> None:
        """Waits while too much of what was told is not written down yet."""
        self._window.acquire()
        with self._lock, suppress(OSError):
            self._count += 1
            try:
                frames.write_to(self._out, {"k": "event", "n": self._count, "e": event})
            except frames.Broken:  # nothing that a person wrote is so large
                frames.write_to(
                    self._out, {"k": "event", "n": self._count, "e": {"t": "bug", "what": "a huge event"}}
                )

    def acknowledged(self) -> None:
        self._window.release()


def main() -> NoReturn:
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
    try:
        library = Library()
    except NotInstalled as error:
        pipes.say({"k": "missing", "reason": str(error)})
        return
    pipes.say({"k": "hello", "version": library.version})
    place = Path(start["folder"])
    kept = Kept(place / folder.KEPT)
    client = library.client(place / folder.DEVICE)
    linked = Linked(library, client, kept, start.get("phone"), pipes.tell)
    client.on_login = linked.login_ended
    heard = [time.monotonic()]
    threading.Thread(target=_watch, args=(heard,), daemon=True).start()
    threading.Thread(target=_connect, args=(library, client, start.get("proxy"), pipes), daemon=True).start()
    with ThreadPoolExecutor(_CALLS, "call") as pool:
        if not _attend(inward, pipes, linked, pool, heard):
            shutil.rmtree(place, ignore_errors=True)  # the parent is gone, and with it who would use it
            _gone()
        with suppress(Exception):
            linked.disconnect()
        kept.close()
        pipes.say({"k": "bye"})
        _gone()  # without waiting for calls that still run


def _attend(inward: int, pipes: Pipes, linked: Linked, pool: ThreadPoolExecutor, heard: list[float]) -> bool:
    """Until the end: True when it was asked for, False when the parent is gone."""
    while True:
        try:
            frame = frames.read_from(inward)
        except frames.Broken:
            return False
        if frame is None:
            return False
        heard[0] = time.monotonic()
        head, data = frame
        match head["k"]:
            case "call":
                pool.submit(_answer, linked, pipes, head, data)
            case "ack":
                pipes.acknowledged()
            case "ping":
                pipes.say({"k": "pong", "id": head["id"]})
            case "bye":
                return True


def _answer(linked: Linked, pipes: Pipes, head: dict[str, Any], data: bytes) -> None:
    answer: dict[str, Any] = {"k": "answer", "id": head["id"]}
    out = b""
    try:
        answer["value"], out = linked.call(head["do"], head["args"], data)
    except Failed as failed:
        answer["error"] = {
            "kind": failed.kind, "reason": failed.reason, "code": failed.code, "seconds": failed.seconds,
        }  # fmt: skip
    pipes.say(answer, out)


def _connect(library: Library, client: Any, proxy: str | None, pipes: Pipes) -> None:
    """Blocks for as long as the connection lives."""
    why = "ended"
    try:
        client.connect(library.proxy(proxy))
    except Exception:  # what it says names hosts and the proxy
        why = "unreachable"
    pipes.tell({"t": "over", "why": why})


def _watch(heard: list[float]) -> None:
    """A parent that is frozen may lose the account to another process: let go of WhatsApp before that."""
    while time.monotonic() - heard[0] < frames.SILENCE:
        time.sleep(1)
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

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a dump would hold the device's keys


def _gone() -> NoReturn:
    """At once: Go's threads can't be joined."""
    os._exit(0)


if __name__ == "__main__":
    main()
