"""The processes of this machine, read from /proc; without /proc, `ps` is asked about one process."""

import contextlib
import os
import subprocess
from pathlib import Path

PROC = Path("/proc")


def exists(pid: int) -> bool:
    """Returns whether the process id is in use, even by a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def alive(pid: int) -> bool:
    """Returns whether a process with this id exists and has not ended; a zombie has ended."""
    if not exists(pid):
        return False
    try:
        return (PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except FileNotFoundError:
        return not PROC.joinpath("self").exists()  # True without /proc; else the process has just ended
    except OSError:
        return False  # ESRCH: the process ended during the read


def user_ids() -> set[int]:
    """Returns the ids of all users who run a process now."""
    ids = set()
    for entry in _entries():
        with contextlib.suppress(OSError):  # the process has just ended
            ids.add(entry.stat().st_uid)
    return ids


def working_in(folder: Path, program: str, uid: int, sole: bool, hint: int | None) -> list[int]:
    """Returns the live processes of `program`, run by `uid`, whose working directory is `folder`.

    `sole` says that no other program runs as `uid`: then a process also counts if its directory can't be read
    (root in a container often lacks CAP_SYS_PTRACE). Without /proc, only the process id `hint`, from the lock's
    note, is checked.
    """
    if not PROC.joinpath("self").exists():
        return [hint] if hint and _name_by_ps(hint) == program else []
    folder_stat = folder.stat()
    pids = []
    for entry in _entries():
        try:
            if entry.stat().st_uid != uid or (entry / "comm").read_text().strip() != program:
                continue
            try:
                here = os.path.samestat((entry / "cwd").stat(), folder_stat)
            except PermissionError:
                here = sole
        except OSError:
            continue  # the process has just ended
        if here and alive(int(entry.name)):
            pids.append(int(entry.name))
    return pids


def _entries() -> list[Path]:
    return [entry for entry in PROC.iterdir() if entry.name.isdecimal()] if PROC.exists() else []


def _name_by_ps(pid: int) -> str:
    completed = subprocess.run(  # noqa: S603
        ["/bin/ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True, check=False
    )
    return Path(completed.stdout.strip()).name
