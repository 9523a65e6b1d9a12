"""Processes of ours for tests that are not about the start: forked from a server that has imported everything once.

A start takes two seconds of processor time, nearly all of it for imports. What is forked here is a process like any
other: it has its own environment, folder, files and signals, and runs the module as `python -m` would. Only
`/proc/<pid>/environ` and `/proc/<pid>/cmdline` are those of the server. tests/process, tests/install and
tests/embedded start their processes from nothing, as an operator does.
"""

import asyncio
import atexit
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from core.installation import ROOT
from engine import faultpoints

_LONGEST = 256 * 1024  # bytes of a request, which is mostly the environment
_SHORT = 32  # bytes of a process id or an exit code
_IMPORTED = (
    "postern.app",
    "postern.cli",
    "postern.demo",
    "postern.doctor",
    "postern.embedded",
    "postern.operator",
    "postern.process",
    "engine.worker",
    "db.migrate",
    "messengers.sandbox",
    "uvicorn.protocols.http.httptools_impl",
    "sqlalchemy.dialects.postgresql.asyncpg",
)


class Process:
    """A forked process, with the methods and attributes of subprocess.Popen that tests use."""

    def __init__(self, report: socket.socket) -> None:
        self._report = report
        self.returncode: int | None = None
        self.pid = int(report.recv(_SHORT))

    def poll(self) -> int | None:
        """Returns its exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Returns its exit code, as Popen does. Raises TimeoutExpired."""
        if self.returncode is None:
            self._report.settimeout(timeout)
            try:
                code = self._report.recv(_SHORT)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired("postern", timeout or 0) from None
            assert code, "the server of processes has died"
            self.returncode = int(code)
            self._report.close()
        return self.returncode

    async def ended(self) -> int:
        """Returns its exit code, where there is an event loop."""
        while self.poll() is None:
            await asyncio.sleep(0.01)
        return self.wait()

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __del__(self) -> None:
        self._report.close()


class Awaited:
    """A forked process, with the methods and attributes of asyncio's Process that tests use."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.pid = process.pid
        self.send_signal, self.terminate, self.kill = process.send_signal, process.terminate, process.kill

    @property
    def returncode(self) -> int | None:
        return self._process.poll()

    async def wait(self) -> int:
        return await self._process.ended()


def start(
    words: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    output: IO[bytes],
    errors: IO[bytes] | None = None,
) -> Process:
    """Starts `python -m <words>` with this environment and nothing on its standard input."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    request = json.dumps({"words": list(words), "cwd": str(cwd), "env": dict(env)}).encode()
    assert len(request) < _LONGEST
    with theirs:
        files = [output.fileno(), (errors or output).fileno(), theirs.fileno()]
        socket.send_fds(_server(), [request], files)
    return Process(ours)


def run(
    words: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout: float
) -> "subprocess.CompletedProcess[str]":
    """Runs `python -m <words>` to its end. Raises TimeoutExpired, and kills it then."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = start(words, cwd=cwd, env=env, output=output, errors=errors)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, output.read().decode(), errors.read().decode())


@cache
def _server() -> socket.socket:
    """Starts the server of this test process, which ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("POSTERN_")}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.prefork", str(theirs.fileno())],
            cwd=ROOT,
            env={**environment, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


# From here on it is the server.


def _import_all() -> None:
    gc.disable()
    for name in _IMPORTED:
        import_module(name)
    build = import_module("schema.root").build
    for explorable in (False, True):
        build(explorable=explorable)
    assert threading.active_count() == 1, "a fork would have only one of the threads"
    gc.freeze()
    gc.enable()


def _serve(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Forks a process for each request. Returns the request and its files in that process; None at the end."""
    running: dict[int, tuple[int, socket.socket]] = {}  # by their pidfd
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not control:
                    selector.unregister(key.fd)
                    pid, report = running.pop(key.fd)
                    os.close(key.fd)
                    _, status = os.waitpid(pid, 0)
                    with report, suppress(OSError):  # nobody waits for it any more
                        report.send(str(os.waitstatus_to_exitcode(status)).encode())
                    continue
                request, files, _, _ = socket.recv_fds(control, _LONGEST, 3)
                if not request:
                    return None
                report = socket.socket(fileno=files.pop())
                if (pid := os.fork()) == 0:
                    for handle, (_, other) in running.items():
                        os.close(handle)
                        other.close()
                    report.close()
                    return json.loads(request), files
                for file in files:
                    os.close(file)
                handle = os.pidfd_open(pid)
                running[handle] = pid, report
                selector.register(handle, selectors.EVENT_READ)
                report.send(str(pid).encode())


def _become(request: dict[str, Any], files: list[int]) -> None:
    """Runs the module in this process, as `python -m` would."""
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    faultpoints._AT = os.environ.get("FAULT_AT")  # which is read when the module is imported
    sys.argv = request["words"]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as control:
        _import_all()
        request = _serve(control)
    if request is not None:
        _become(*request)


if __name__ == "__main__":
    main()
