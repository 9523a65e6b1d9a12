"""Events that a connection left on this machine: its process was killed, or it lost the account before all was stored.

The account's next connection on this machine reports them. Of the rest of such a folder, the keys of the device above
all, nothing is kept. Leftovers that no connection takes are removed after a day.
"""

import fcntl
import os
import shutil
import sqlite3
import stat
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
    if (folder / cache).exists() and not left.exists() and _may_have_events(folder / cache):
        with suppress(OSError):
            (folder / cache).rename(left)
    if not left.exists() or time.time() - left.stat().st_mtime > _DAY:
        shutil.rmtree(folder, ignore_errors=True)
        return False
    for path in folder.iterdir():
        if path != left:
            with suppress(OSError):
                path.unlink()
    return True


def _may_have_events(database: Path) -> bool:
    """Returns whether there are events, also if the database can't be read now."""
    try:
        return bool(journal.lasting_events(database))
    except (OSError, sqlite3.Error):
        return True


def sweep(base: Path, name: str, cache: str) -> None:
    """Removes the folders that killed processes of this user left, except for events that were not stored."""
    for path in base.glob(f"{name}*"):
        with suppress(OSError):
            if not _is_ours(path):
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
    """Takes the events that other connections of this account left in `base`, and puts them into `folder`'s
    database.
    """
    for left in sorted(base.glob(f"{name}*/{account}-*/{LEFT}"), key=_age, reverse=True):
        try:
            if _is_ours(left.parent.parent) and _is_ours(left.parent) and _is_ours(left):
                _adopt_file(left, account, folder / cache)
        except (OSError, sqlite3.Error) as error:
            log.warning(
                "events of a WhatsApp account were left and can't be read", error=type(error).__name__
            )


def _adopt_file(left: Path, account: str, database: Path) -> None:
    """Puts the events of one file before those of a database, and then removes the file."""
    lock = os.open(left, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # only one of several processes succeeds
        if not left.exists():
            return
        events = journal.lasting_events(left)
        if events:
            journal.put_first(database, events)
            log.info("a WhatsApp account reports events that were left", account=account, events=len(events))
        left.unlink()  # a kill before this line reports them twice, which changes nothing
    finally:
        os.close(lock)
    with suppress(OSError):
        left.parent.rmdir()


def _is_ours(path: Path) -> bool:
    """Returns whether this user made it. Other users may write into the folders for temporary files, too."""
    status = path.lstat()
    return status.st_uid == os.getuid() and not stat.S_ISLNK(status.st_mode)


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
