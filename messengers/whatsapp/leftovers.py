"""Events that a connection left on this machine: its process was killed, or it lost the account before all was stored.

The account's next connection on this machine reports them. Of the rest of such a folder, the keys of the device above
all, nothing is kept. What nobody takes is removed after a day.
"""

import fcntl
import os
import shutil
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

import structlog

from messengers.whatsapp import journal

log = structlog.get_logger()

LEFT = "left.db"  # the database of a child that has ended, kept for its events
_DAY = 86_400.0  # seconds


def leave(folder: Path, cache: str) -> bool:
    """Removes the folder of an account, except for events that were not stored. Returns whether there are some."""
    left = folder / LEFT
    with suppress(OSError, sqlite3.Error):
        if (folder / cache).exists() and not left.exists() and journal.lasting_events(folder / cache):
            (folder / cache).rename(left)
    if not left.exists() or time.time() - left.stat().st_mtime > _DAY:
        shutil.rmtree(folder, ignore_errors=True)
        return False
    for path in folder.iterdir():
        if path != left:
            with suppress(OSError):
                path.unlink()
    return True


def sweep(base: Path, name: str, cache: str) -> None:
    """Removes the folders that killed processes of this user left, except for events that were not stored."""
    for path in base.glob(f"{name}*"):
        with suppress(OSError):
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            lock = os.open(path / "lock", os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                leave_all(path, cache)
            finally:
                os.close(lock)


def leave_all(process_folder: Path, cache: str) -> None:
    """Removes the folder of a process that has ended, except for events that were not stored."""
    left = [leave(path, cache) for path in process_folder.iterdir() if path.is_dir()]
    if not any(left):
        shutil.rmtree(process_folder, ignore_errors=True)


def adopt(base: Path, name: str, account: str, folder: Path, cache: str) -> None:
    """Takes the events that other connections of this account left in `base`, and puts them into `folder`'s database."""
    events: list[bytes] = []
    for left in sorted(base.glob(f"{name}*/{account}-*/{LEFT}"), key=_age):
        own = folder / f"adopted-{len(events)}.db"
        try:
            left.rename(own)  # only one of several processes succeeds
            events += journal.lasting_events(own)
        except (OSError, sqlite3.Error) as error:
            log.warning(
                "events of a WhatsApp account were left and can't be read", error=type(error).__name__
            )
        with suppress(OSError):
            own.unlink()
        with suppress(OSError):
            left.parent.rmdir()
    if events:
        journal.put_first(folder / cache, events)
        log.info("a WhatsApp account reports events that were left", account=account, events=len(events))


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
