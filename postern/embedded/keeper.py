"""The process between us and a server: it ends the server when we end, however we end.

Run as a script by `kept.py`, with a `Spec` as a line of JSON on its standard input. It imports nothing but the
standard library, runs as the same user as its parent, and

- forks the server, as an unprivileged user where asked to, in a session away from the terminal, so that a
  Ctrl-C reaches only the parent, which drains before it stops its servers;
- reads on from its standard input, the *lifeline*: a byte asks for an orderly stop, end of file means that the
  parent is gone. The parent's id is watched too, since a fork of the parent may hold the lifeline open;
- is the subreaper of the server's children (Linux), and ends only when the last of them is gone.

A thread's PR_SET_PDEATHSIG on the server alone would not do: the signal fires when the *thread* that started
the server ends (prctl(2)), and it sends one signal where a server may need a second, harder one. It does guard
the server against the death of this process, which has one thread.
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

# Bounds in seconds: how soon a dead parent is noticed, how long a server's orphans may linger by themselves.
PARENT_CHECK = 0.5
ORPHAN_PATIENCE = 3.0

Ladder = list[tuple[int, float]]  # signals for the server, each with the seconds it may take; SIGKILL follows


class Spec(TypedDict):
    """What the parent hands over. File descriptors are numbers that both processes share."""

    parent: int
    command: list[str]
    environment: dict[str, str]
    account: tuple[int, int] | None  # uid, gid; None: as the parent
    folder: int  # fd of the server's data folder, its working directory
    input: int | None  # fd for the server's standard input; None: nothing
    lock: int  # fd of the parent's lock: ours too, so that it lasts as long as a server may; not the server's
    orderly: Ladder
    hurried: Ladder  # for a dead parent


def main() -> int:
    spec: Spec = json.loads(read_line(0))
    wake, wake_end = os.pipe()
    for fd in (wake, wake_end):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(wake_end)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the parent decides; a service manager may signal all of us
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    server = spawn(spec)
    if spec["input"] is not None:
        os.close(spec["input"])
    with contextlib.suppress(OSError):  # the parent is gone already: attend() sees it
        os.write(1, b"%d\n" % server)
    os.close(1)
    return attend(server, spec, wake)


def read_line(fd: int) -> bytes:
    """As it is, with nothing read ahead of its end; what there is of it when the writer is gone."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(fd, 1)
        if not part:
            break
        line += part
    return line


def spawn(spec: Spec) -> int:
    """Fork and execute the server; give its process id. A failure is told on stderr, the server's log."""
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
    os.set_inheritable(spec["lock"], False)
    # before the account is changed: it need not be able to reach the folder by its path
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
    prctl(PR_SET_PDEATHSIG, spec["hurried"][0][0])  # last: a change of credentials clears it
    if os.getppid() != keeper:
        raise ProcessLookupError("the keeper is gone")
    os.execve(spec["command"][0], spec["command"], spec["environment"])  # noqa: S606 — no shell: that is the point


def attend(server: int, spec: Spec, wake: int) -> int:
    """Wait until the server and all that it left behind are gone; give the server's exit status.

    As `subprocess` does, a server that was killed by a signal gives that signal, negated; it reaches the parent
    as 128 + signal.
    """
    status: int | None = None
    ladder: Ladder = []
    due = float("inf")  # when the next rung is taken; never, while nobody wants the server to end
    hurried = False
    lifeline = [0]
    while True:
        ended = status is not None
        status, alone = reap(server, status)
        if alone:
            return 0 if status is None else status if status >= 0 else 128 - status
        now = time.monotonic()
        if status is not None and not ended:  # of itself, or as asked: only orphans are left to wait for
            ladder, due = [], now + ORPHAN_PATIENCE
        told = read_lifeline(lifeline)
        if not hurried and (told == b"" or os.getppid() != spec["parent"]):
            hurried, lifeline = True, []
            ladder, due = list(spec["hurried"]), now
        elif told:
            ladder, due = list(spec["orderly"]), now
        if now >= due:
            due = now + take_rung(ladder, server if status is None else None)
        select.select([wake, *lifeline], [], [], max(0.0, min(PARENT_CHECK, due - now)))
        drain(wake)


def reap(server: int, status: int | None) -> tuple[int | None, bool]:
    """Collect what has ended: the server's exit status once known, and whether no child is left."""
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
    """What the parent said: a byte, b"" when it is gone, None for nothing."""
    if not select.select(lifeline, [], [], 0)[0]:
        return None
    return os.read(lifeline[0], 16)


def take_rung(ladder: Ladder, server: int | None) -> float:
    """Send the next signal, or kill all when none is left; give the seconds until the next one."""
    if ladder and server is not None:
        number, patience = ladder.pop(0)
        os.kill(server, number)
        return patience
    for pid in [server] if server is not None else children(os.getpid()):
        os.kill(pid, signal.SIGKILL)  # ours and not reaped yet, so the number cannot mean another process
    return 0.2


def children(parent: int) -> list[int]:
    """The processes whose parent is `parent`; none where there is no /proc."""
    found = []
    for entry in os.listdir("/proc") if LINUX else []:  # noqa: PTH208 — pathlib is a slow import
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123
                    fields = file.read().rpartition(b")")[2].split()  # the name before it may hold anything
            except OSError:
                continue  # it ended just now
            if int(fields[1]) == parent:
                found.append(int(entry))
    return found


def drain(wake: int) -> None:
    with contextlib.suppress(BlockingIOError):
        os.read(wake, 512)


def prctl(option: int, value: int) -> None:
    """A polite wish: other systems, or a sandbox that forbids it, do without."""
    if LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
