"""The working copy of a device's database, and how it is packed into the stored session.

whatsmeow needs an SQLite file. It is kept in a private folder of this process, in memory where the system offers that;
the stored `session` is authoritative, and the file is a working copy of it. Only the driver's process copies the file:
the library brings an SQLite of its own, and a second one *in the same process* that opens the file would drop the first
one's locks when it closes it (sqlite.org/howtocorrupt.html, 2.2.1).

A killed process leaves its folder behind. Each process holds a lock in its folder; the next connection on the machine
removes the folders whose lock is free, except for events that were not stored (leftovers.py).
"""

import base64
import binascii
import fcntl
import hmac
import os
import secrets
import shutil
import sqlite3
import struct
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from messengers.whatsapp import journal, leftovers

DEVICE, CACHE = "device.db", "kept.db"
MAX_TEXT = 16 * 2**20  # characters of a session
MAX_FILES = 128 * 2**20  # bytes that it may unpack to
_PREFIX_IN_USE = "wa1:"  # prefix of a session that may have sent messages after it was stored
_PREFIX_CLOSED = "wa2:"  # prefix of the last session of an orderly close
_NAME = "postern-whatsapp-"
_MIN_FREE_BYTES = (
    256 * 2**20
)  # below this many free bytes memory is not used: a container's /dev/shm is often tiny
_LOCK_SECONDS = 2.0  # seconds to wait while the library locks its file
_HEADER = struct.Struct(">32sII")

# Tables that need not be stored: other devices or the messenger send their content again. `message_secrets` is
# read for polls and by `attempt`; the newest are enough.
_NOT_STORED = ("whatsmeow_event_buffer", "whatsmeow_retry_buffer")
_SECRETS = "whatsmeow_message_secrets"
_NEWEST_SECRETS = 1000
# Message counters must never go back: a receiver drops a message whose counter it has seen.
_SESSIONS, _SENDER_KEYS = "whatsmeow_sessions", "whatsmeow_sender_keys"
_LIDS = "whatsmeow_lid_map"
_LARGE = (
    "whatsmeow_contacts",
    "whatsmeow_app_state_mutation_macs",
)  # left out of a session that is too large


class Unusable(Exception):
    """A session can't be read, or a working copy can't be packed. The message says why."""


class ProcessFolder:
    """The folder of this process that holds the folders of its accounts."""

    def __init__(self, where: Path | None = None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_NAME, dir=where or _base_folder()))
        self._lock = os.open(self.path / "new", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        (self.path / "new").rename(
            self.path / "lock"
        )  # renamed after locking, so that `sweep` never sees the file unlocked
        leftovers.sweep(self.path.parent, _NAME, CACHE)

    def folder(self, account: str = "") -> "Folder":
        """Makes a folder for one account."""
        return Folder(Path(tempfile.mkdtemp(prefix=f"{account}-", dir=self.path)))

    def adopt(self, folder: "Folder", account: str) -> None:
        """Puts the events that earlier connections of the account left on this machine into its new folder."""
        leftovers.sweep(self.path.parent, _NAME, CACHE)
        leftovers.adopt(self.path.parent, _NAME, account, folder.path, CACHE)

    def close(self) -> None:
        """Removes all folders of this process, except for events that were not stored."""
        with suppress(OSError):
            leftovers.leave_all(self.path, CACHE)
        with suppress(OSError):
            os.close(self._lock)


def _base_folder() -> Path:
    memory = Path("/dev/shm")  # noqa: S108  the system's folder in memory; what is made in it is 0700
    with suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= _MIN_FREE_BYTES:
            return memory
    return Path(tempfile.gettempdir())


class Folder:
    """The working copy of one account, and the key by which its own messages are recognized."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.key = secrets.token_bytes(32)

    def secret(self, item: str) -> bytes:
        """Returns the `messageSecret` of a message of ours. whatsmeow stores it before it sends the message."""
        return hmac.digest(self.key, item.encode(), "sha256")

    def attempt(self, secret: bytes) -> str | None:
        """Returns the ID under which a message with that secret was about to be sent, or None if it got no ID."""
        with _opened(self.path / DEVICE) as device:
            if not _has(device, _SECRETS):
                return None
            row = device.execute(f"SELECT message_id FROM {_SECRETS} WHERE key = ?", (secret,)).fetchone()  # noqa: S608
            return str(row[0]) if row else None

    def could_encrypt(self, devices: Sequence[Sequence[str]]) -> bool:
        """Returns whether there is a Signal session with one of the devices (user, number), or nothing says so.

        For a person whose number is hidden the library has sessions with that identity alone.
        """
        with _opened(self.path / DEVICE) as device:
            if not _has(device, _SESSIONS):
                return True
            users = {user for user, _ in devices}
            if _has(device, _LIDS):
                for user in [*users]:
                    pairs = device.execute(
                        f"SELECT lid, pn FROM {_LIDS} WHERE lid = ?1 OR pn = ?1",  # noqa: S608  a name of ours
                        (user,),
                    )
                    users |= {str(id) for pair in pairs for id in pair}
            numbers = {number for _, number in devices}
            addresses = [
                f"{user}{kind}:{number}" for user in users for kind in ("", "_1") for number in numbers
            ]
            slots = ", ".join("?" * len(addresses))
            query = f"SELECT 1 FROM {_SESSIONS} WHERE their_id IN ({slots}) LIMIT 1"  # noqa: S608  a name of ours
            return device.execute(query, addresses).fetchone() is not None

    def fingerprint(self) -> tuple[int, ...]:
        """Returns a value that differs when the files may have changed."""
        return (*changes_of(self.path / DEVICE), *changes_of(self.path / CACHE))

    def pack(self, *, at_rest: bool = False, with_events: bool = False) -> str:
        """Returns the session. `at_rest`: nothing was or will be sent after it. Raises Unusable.

        `with_events`: also the events that are not stored yet.
        """
        without = () if with_events else (journal.TABLE,)
        first = _PREFIX_CLOSED if at_rest else _PREFIX_IN_USE
        try:
            device = _copied(self.path / DEVICE, _NOT_STORED)
            cache = _copied(self.path / CACHE, without)
            text = first + _text(self.key, device, cache)
            if len(text) > MAX_TEXT:
                text = first + _text(self.key, _copied(self.path / DEVICE, (*_NOT_STORED, *_LARGE)), b"")
        except sqlite3.Error as error:
            raise Unusable(f"The working copy can't be read right now ({type(error).__name__}).") from None
        if len(text) > MAX_TEXT:
            raise Unusable(f"The session has {len(text)} characters; {MAX_TEXT} are kept.")
        return text

    def unpack(self, session: str) -> None:
        """Writes the working copy. Raises Unusable.

        A session that was in use when its process died lacks the counters of messages sent after it was stored.
        Its Signal sessions are left out: the library makes new ones with the first message to each device.
        """
        if not session.startswith((_PREFIX_IN_USE, _PREFIX_CLOSED)) or len(session) > MAX_TEXT:
            raise Unusable("The session is of another kind.")
        try:
            opener = zlib.decompressobj()
            raw = opener.decompress(
                base64.b64decode(session[len(_PREFIX_IN_USE) :], validate=True), MAX_FILES + _HEADER.size
            )
            self.key, first, second = _HEADER.unpack_from(raw)
        except (binascii.Error, zlib.error, struct.error):
            raise Unusable("The session is damaged.") from None
        files = raw[_HEADER.size :]
        if not opener.eof or opener.unused_data or len(files) != first + second:
            raise Unusable("The session is not whole.")
        self._write_file(DEVICE, files[:first])
        self._write_file(CACHE, files[first:])
        if first and session.startswith(_PREFIX_IN_USE):
            self._drop_signal_sessions()

    def _drop_signal_sessions(self) -> None:
        """Deletes all Signal sessions, and this device's sender keys of groups. Raises Unusable."""
        try:
            with _opened(self.path / DEVICE, write=True) as device, device:
                if _has(device, _SESSIONS):
                    device.execute(f"DELETE FROM {_SESSIONS}")  # noqa: S608  a name of ours
                if _has(device, _SENDER_KEYS):
                    for sender in _own_addresses(device):
                        device.execute(f"DELETE FROM {_SENDER_KEYS} WHERE sender_id = ?", (sender,))  # noqa: S608
        except sqlite3.Error as error:
            raise Unusable(f"The session can't be laid out ({type(error).__name__}).") from None

    def _write_file(self, name: str, content: bytes) -> None:
        if content:
            fd = os.open(self.path / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(content)

    def sound(self) -> bool:
        """Returns whether a crash left the working copy intact; a damaged one is removed."""
        for name in (DEVICE, CACHE):
            path = self.path / name
            if path.exists():
                try:
                    with _opened(path, write=True) as database:  # opening rolls back unfinished transactions
                        good = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
                except sqlite3.Error:
                    good = False
                if not good:
                    self.empty()
                    return False
        return True

    def empty(self) -> None:
        """Removes the files of the working copy."""
        for path in self.path.iterdir():
            with suppress(OSError):
                path.unlink()

    def close(self, *, leave_events: bool = False) -> None:
        """Removes the folder. `leave_events`: except for events that were not stored."""
        if not (leave_events and leftovers.leave(self.path, CACHE)):
            shutil.rmtree(self.path, ignore_errors=True)


def changes_of(database: Path) -> tuple[int, ...]:
    """Returns a value that differs when the database may have changed."""
    seen: list[int] = []
    for path in (database, database.with_name(f"{database.name}-wal")):
        try:
            stat = path.stat()
        except OSError:
            seen += (0, 0)
        else:
            seen += (stat.st_mtime_ns, stat.st_size)
    return tuple(seen)


@contextmanager
def _opened(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    address = f"{path.as_uri()}?mode={'rw' if write else 'ro'}"
    with closing(sqlite3.connect(address, uri=True, timeout=_LOCK_SECONDS)) as database:
        yield database


def _copied(path: Path, without: Sequence[str]) -> bytes:
    """Returns the file's content at one moment, without the rows of some tables."""
    if not path.exists():
        return b""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        with _opened(path) as source:
            source.backup(copy)
        for table in without:
            if _has(copy, table):
                copy.execute(f"DELETE FROM {table}")  # noqa: S608  names of ours
        if _has(copy, _SECRETS):
            copy.execute(
                f"DELETE FROM {_SECRETS} WHERE rowid NOT IN"  # noqa: S608  names of ours
                f" (SELECT rowid FROM {_SECRETS} ORDER BY rowid DESC LIMIT {_NEWEST_SECRETS})"
            )
        copy.execute("VACUUM")
        return copy.serialize()


def _own_addresses(device: sqlite3.Connection) -> Iterator[str]:
    """Yields this device's Signal addresses, `user:device`; for a hidden number (LID) also `user_1:device`."""
    columns = {row[1] for row in device.execute("PRAGMA table_info(whatsmeow_device)")}
    for column in ("jid", "lid"):
        if column in columns:
            for (jid,) in device.execute(f"SELECT {column} FROM whatsmeow_device").fetchall():  # noqa: S608
                user, _, number = str(jid or "").partition("@")[0].partition(":")
                user = user.partition(".")[0]
                yield from (f"{user}:{number or 0}", f"{user}_1:{number or 0}")


def _has(database: sqlite3.Connection, table: str) -> bool:
    return (
        database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
        is not None
    )


def _text(key: bytes, device: bytes, cache: bytes) -> str:
    packer = zlib.compressobj(6)
    parts = (_HEADER.pack(key, len(device), len(cache)), device, cache)
    return base64.b64encode(b"".join(map(packer.compress, parts)) + packer.flush()).decode()
