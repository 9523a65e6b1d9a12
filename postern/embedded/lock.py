"""A lock that allows one server on a folder: a file, locked while this process or the server's keeper lives."""

import contextlib
import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

from postern.embedded.errors import AlreadyRunning
from postern.embedded.processes import alive

# After its parent's death a keeper ends its server within the hurried ladder: about 4 s.
WIND_DOWN = 10.0


class Lock:
    """A lock (flock(2)) on `path`, with a note in the file that says which process holds it.

    The kernel releases it when the last process that holds it ends, even by SIGKILL, so it is never stale.
    """

    def __init__(self, path: Path, fd: int) -> None:
        self._path, self.fd = path, fd

    def note(self, **fields: int | None) -> None:
        """Writes the note: the id of this process, and these fields."""
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, json.dumps({"parent": os.getpid(), **fields}).encode(), 0)

    def release(self) -> None:
        """Releases the lock and closes the file."""
        fcntl.flock(self.fd, fcntl.LOCK_UN)  # a forked child of ours may hold a copy of the descriptor
        os.close(self.fd)


def read_note(path: Path) -> dict[str, Any]:
    """Returns the note of the last holder: `parent`, `server` (process ids) and `port`, each of them optional."""
    with contextlib.suppress(OSError, ValueError):
        note = json.loads(path.read_bytes())
        if isinstance(note, dict):
            return note
    return {}


def acquire(path: Path, server: str) -> Lock:
    """Takes the lock; waits if only the keeper of a dead parent holds it. Raises AlreadyRunning (without a url)."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + WIND_DOWN
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            parent = read_note(path).get("parent")
            if (parent and alive(parent)) or time.monotonic() > deadline:
                os.close(fd)
                raise AlreadyRunning(server, path.parent, parent, None) from None
            time.sleep(0.05)
        else:
            return Lock(path, fd)
