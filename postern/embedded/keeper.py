"""The process between us and a server: it ends the server when we end, however we end.

`handle.py` runs it as a script, with a `Spec` as one line of JSON on its standard input. It imports only the standard
library and runs as the same user as its parent. It

- forks the server, as an unprivileged user if asked to, in a session without the terminal, so that a Ctrl-C
  reaches only the parent, which drains before it stops its servers;
- keeps reading its standard input, the *lifeline*: a byte asks for an orderly stop, end of file means that the
  parent has ended. It also watches the parent's id, since a fork of the parent may hold the lifeline open;
- is the subreaper of the server's children (Linux), and ends only when the last of them has ended.

PR_SET_PDEATHSIG on the server alone would not be enough: the signal is sent when the *thread* that started the
server ends (prctl(2)), and it is a single signal, while a server may need a second one. It is set nevertheless, to
end the server if this process dies; this process has one thread.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
from typing import NoReturn, TypedDict

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
LINUX = sys.platform == "linux"

# Seconds until a dead parent is noticed, and seconds that children of an ended server may go on before SIGKILL.
PARENT_CHECK = 0.5
ORPHAN_SECONDS = 3.0

Ladder = list[
    tuple[int, float]
]  # signals for the server, each with seconds to wait for its end; then SIGKILL


class Spec(TypedDict):
    """Holds what the parent passes to the keeper. File descriptors are numbers that both processes share."""

    parent: int
    command: list[str]
    environment: dict[str, str]
    account: tuple[int, int] | None  # uid, gid; None: the parent's
    folder: int  # fd of the server's data folder, its working directory
    input: int | None  # fd of the server's standard input; None: /dev/null
    lock: int  # fd of the parent's lock, which the keeper holds as long as the server may run; the server does not
    orderly: Ladder
    hurried: Ladder  # used if the parent is dead


def main() -> int:
    """Runs the keeper. Returns the server's exit status."""
    spec: Spec = json.loads(read_line(0))
    wake, wake_end = os.pipe()
    for fd in (wake, wake_end):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(wake_end)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(
            number, signal.SIG_IGN
        )  # a service manager may signal all processes; the parent decides
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    server = spawn(spec)
    if spec["input"] is not None:
        os.close(spec["input"])
    with contextlib.suppress(OSError):  # the parent has ended already: attend() notices it
        os.write(1, b"%d\n" % server)
    os.close(1)
    return attend(server, spec, wake)


def read_line(fd: int) -> bytes:
    """Returns the next line without reading beyond it; an incomplete line if the writer has closed its end."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(fd, 1)
        if not part:
            break
        line += part
    return line


def spawn(spec: Spec) -> int:
    """Forks and executes the server and returns its process id. The child writes a failure to stderr, the log."""
    keeper = os.getpid()
    child = os.fork()
    if child:
        return child
    try:  # pragma: no cover — what a forked child runs before its exec is not measured
        execute(spec, keeper)
    except BaseException as error:
        os.write(2, f"cannot execute {spec['command'][0]}: {error}\n".encode())
    finally:
        os._exit(127)


def execute(spec: Spec, keeper: int) -> NoReturn:  # pragma: no cover — as above
    """Becomes the server: sets up the forked child and executes the command."""
    os.set_inheritable(spec["lock"], False)
    # Before the user is changed: the server's user may have no right to reach the folder by its path.
    os.fchdir(spec["folder"])
    os.umask(0o077)
    os.dup2(os.open(os.devnull, os.O_RDONLY) if spec["input"] is None else spec["input"], 0)
    os.dup2(2, 1)
    if spec["account"]:
        uid, gid = spec["account"]
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    prctl(PR_SET_PDEATHSIG, spec["hurried"][0][0])  # last, because a change of credentials clears it
    if os.getppid() != keeper:
        raise ProcessLookupError("the keeper is gone")
    os.execve(spec["command"][0], spec["command"], spec["environment"])  # noqa: S606 — no shell: that is the point


def attend(server: int, spec: Spec, wake: int) -> int:
    """Waits until the server and all its descendants have ended. Returns the server's exit status.

    A signal that killed the server is returned as 128 + its number.
    """
    status: int | None = None
    ladder: Ladder = []
    due = float("inf")  # when the next signal is sent; never, until the server is to end
    hurried = False
    lifeline = [0]
    while True:
        ended = status is not None
        status, alone = reap(server, status)
        if alone:
            return 0 if status is None else status if status >= 0 else 128 - status
        now = time.monotonic()
        if (
            status is not None and not ended
        ):  # the server has just ended: only its orphans are left to wait for
            ladder, due = [], now + ORPHAN_SECONDS
        request = read_lifeline(lifeline)
        if not hurried and (request == b"" or os.getppid() != spec["parent"]):
            hurried, lifeline = True, []
            ladder, due = list(spec["hurried"]), now
        elif request:
            ladder, due = list(spec["orderly"]), now
        if now >= due:
            due = now + send_next_signal(ladder, server if status is None else None)
        select.select([wake, *lifeline], [], [], max(0.0, min(PARENT_CHECK, due - now)))
        drain(wake)


def reap(server: int, status: int | None) -> tuple[int | None, bool]:
    """Collects ended children. Returns the server's exit status once known, and whether no child is left."""
    while True:
        try:
            pid, raw = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status, True
        if pid == 0:
            return status, False
        if pid == server:
            status = os.waitstatus_to_exitcode(raw)


def read_lifeline(lifeline: list[int]) -> bytes | None:
    """Returns what the parent wrote; b"" if the parent has ended; None if there is nothing to read."""
    if not select.select(lifeline, [], [], 0)[0]:
        return None
    return os.read(lifeline[0], 16)


def send_next_signal(ladder: Ladder, server: int | None) -> float:
    """Sends the next signal, or SIGKILL to all if none is left. Returns the seconds until the next call."""
    if ladder and server is not None:
        number, seconds = ladder.pop(0)
        os.kill(server, number)
        return seconds
    for pid in [server] if server is not None else children(os.getpid()):
        os.kill(
            pid, signal.SIGKILL
        )  # a child that is not reaped yet, so its number cannot be another process
    return 0.2


def children(parent: int) -> list[int]:
    """Returns the processes whose parent is `parent`; none if there is no /proc."""
    pids = []
    for entry in os.listdir("/proc") if LINUX else []:  # noqa: PTH208 — pathlib is a slow import
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123
                    fields = file.read().rpartition(b")")[2].split()  # the name before it may hold anything
            except OSError:
                continue  # the process has just ended
            if int(fields[1]) == parent:
                pids.append(int(entry))
    return pids


def drain(wake: int) -> None:
    """Empties the wake-up pipe of the signals."""
    with contextlib.suppress(BlockingIOError):
        os.read(wake, 512)


def prctl(option: int, value: int) -> None:
    """Calls prctl and ignores failures: other systems, or a sandbox that forbids it, work without it."""
    if LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
