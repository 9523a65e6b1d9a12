"""Finds the program that listens on a port of this machine, through /proc."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LISTEN = "0A"  # TCP_LISTEN in /proc/net/tcp (proc(5))


def port_holder(port: int) -> str | None:
    """Returns `nginx (process 812)`; None if no process listens, or if its files can't be read."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(port)}
    if not sockets:
        return None
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has ended, or belongs to another user
            if any(_target(fd) in sockets for fd in (process / "fd").iterdir()):
                name = (process / "comm").read_text(errors="replace").strip()
                return f"{''.join(char for char in name if char.isprintable())} (process {process.name})"
    return None


def _inodes(port: int) -> Iterator[str]:
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            for line in Path(table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTEN and int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9]


def _target(fd: Path) -> str:
    try:
        return str(fd.readlink())
    except OSError:
        return ""
