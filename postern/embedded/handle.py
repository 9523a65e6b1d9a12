"""A server process and the keeper in front of it, seen from the process that started them."""

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass
from json import dumps
from pathlib import Path

from postern.embedded import keeper, processes
from postern.embedded.account import Account

KEEPER = [sys.executable, "-I", "-S", keeper.__file__]
SLACK = 5.0  # seconds over the ladder until a keeper counts as stuck
LOG_BYTES = 10_000_000


@dataclass(frozen=True)
class Command:
    """A command line that executes a server in its data folder.

    `input` is passed on its standard input: a secret there shows in no list of processes and no environment.
    """

    words: list[str]
    input: bytes | None = None


class ServerProcess:
    """A started server. Its keeper ends it when this process ends."""

    def __init__(
        self,
        command: Command,
        account: Account | None,
        folder: Path,
        output: Path,
        lock: int,
        orderly: keeper.Ladder,
        hurried: keeper.Ladder,
    ) -> None:
        """Starts it. `output` is its log, emptied if over 10 MB; `lock` is a descriptor that the keeper also holds."""
        self._orderly, self._hurried = orderly, hurried
        with contextlib.ExitStack() as stack:
            folder_fd = _opened(stack, folder, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY)
            output_fd = _opened(stack, output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            if os.fstat(output_fd).st_size > LOG_BYTES:
                os.ftruncate(output_fd, 0)
            input_fd = None if command.input is None else _piped(stack, command.input)
            spec: keeper.Spec = {
                "parent": os.getpid(),
                "command": command.words,
                "environment": {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},  # our own contains secrets
                "account": (account.uid, account.gid) if account else None,
                "folder": folder_fd,
                "input": input_fd,
                "lock": lock,
                "orderly": orderly,
                "hurried": hurried,
            }
            self._keeper = subprocess.Popen(  # noqa: S603 — our own script
                KEEPER,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output_fd,
                pass_fds=[fd for fd in (folder_fd, input_fd, lock) if fd is not None],
                start_new_session=True,
            )
            self._say(dumps(spec).encode() + b"\n")
        assert self._keeper.stdout is not None
        with self._keeper.stdout as stdout:
            self.pid = int(stdout.readline() or 0)  # 0: the keeper itself failed

    @property
    def running(self) -> bool:
        return self._keeper.poll() is None and self.pid != 0 and processes.alive(self.pid)

    @property
    def exit_status(self) -> int | None:
        """Returns the server's exit status, or 128 + the signal that killed it; None while a process of it lives."""
        return self._keeper.poll()

    def stop(self) -> None:
        """Ends the server in its orderly way, and waits for its last process."""
        self._say(b"s")
        self._wait(self._orderly)

    def end(self) -> None:
        """Ends the server within seconds if it lives, and waits for its last process."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._wait(self._hurried)

    def _say(self, words: bytes) -> None:
        assert self._keeper.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):  # the keeper has ended, or its input is closed
            self._keeper.stdin.write(words)

    def _wait(self, ladder: keeper.Ladder) -> None:
        assert self._keeper.stdin is not None
        try:
            self._keeper.wait(sum(seconds for _, seconds in ladder) + keeper.ORPHAN_SECONDS + SLACK)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        self._keeper.stdin.close()


def _opened(stack: contextlib.ExitStack, path: Path, flags: int) -> int:
    fd = os.open(path, flags | os.O_CLOEXEC, 0o600)
    stack.callback(os.close, fd)
    return fd


def _piped(stack: contextlib.ExitStack, content: bytes) -> int:
    """Returns the reading end of a pipe that contains this: at most 4 KiB, which any pipe takes without a reader."""
    fd, end = os.pipe()
    stack.callback(os.close, fd)
    with open(end, "wb") as pipe:  # noqa: PTH123 — a descriptor, not a path
        pipe.write(content)
    return fd
