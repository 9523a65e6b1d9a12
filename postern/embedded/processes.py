"""What runs on this machine, as far as /proc tells; elsewhere `ps` tells about one process."""

import contextlib
import os
import subprocess
from pathlib import Path

PROC = Path("/proc")


def exists(pid: int) -> bool:
    """Whether the number is in use, be it by a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def alive(pid: int) -> bool:
    """Whether such a process exists and has not ended; a zombie has."""
    if not exists(pid):
        return False
    try:
        return (PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except FileNotFoundError:
        return not PROC.joinpath("self").exists()  # no /proc here, or it ended just now
    except OSError:
        return False  # ESRCH: it ended while we read


def user_ids() -> set[int]:
    """The users who run something now."""
    found = set()
    for entry in _entries():
        with contextlib.suppress(OSError):  # it ended just now
            found.add(entry.stat().st_uid)
    return found


def working_in(folder: Path, program: str, uid: int, sole: bool, hint: int | None) -> list[int]:
    """The live processes of `program`, run by `uid`, whose working directory is `folder`.

    `sole` says that nobody else runs anything as `uid`: then a process counts whose directory we may not read
    (root in a container is commonly without CAP_SYS_PTRACE). Without /proc, only `hint`, a process id that was
    noted down, is looked at.
    """
    if not PROC.joinpath("self").exists():
        return [hint] if hint and _name_by_ps(hint) == program else []
    place = folder.stat()
    found = []
    for entry in _entries():
        try:
            if entry.stat().st_uid != uid or (entry / "comm").read_text().strip() != program:
                continue
            try:
                here = os.path.samestat((entry / "cwd").stat(), place)
            except PermissionError:
                here = sole
        except OSError:
            continue  # it ended just now
        if here and alive(int(entry.name)):
            found.append(int(entry.name))
    return found


def _entries() -> list[Path]:
    return [entry for entry in PROC.iterdir() if entry.name.isdecimal()] if PROC.exists() else []


def _name_by_ps(pid: int) -> str:
    told = subprocess.run(  # noqa: S603
        ["/bin/ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True, check=False
    )
    return Path(told.stdout.strip()).name
