"""The child's own database: messages that may be quoted, read or fetched, and sent ones.

whatsmeow stores no messages. A reply and a read receipt need the sender of the message, a download needs its keys.
"""

import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from messengers.whatsapp.journal import Journal

_MESSAGES = 2000  # the newest are kept
_SENDS = 5000
_CONTENT = 16_384  # bytes of one message, without its preview

_TABLES = """
CREATE TABLE IF NOT EXISTS messages (
    thread TEXT, id TEXT, chat TEXT, sender TEXT, outgoing INTEGER, unread INTEGER, content BLOB,
    PRIMARY KEY (thread, id)
);
CREATE INDEX IF NOT EXISTS messages_unread ON messages (thread) WHERE unread;
CREATE TABLE IF NOT EXISTS sends (part TEXT PRIMARY KEY, id TEXT, thread TEXT, at INTEGER);
"""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A stored message. `content` is the library's serialized message, or empty when it was too large.

    `chat` and `sender` are as the messenger sent them: for one person a phone's address or a hidden one.
    """

    id: str
    chat: str
    sender: str
    outgoing: bool
    content: bytes


@dataclass(frozen=True, slots=True)
class Send:
    """A send and its result: `id` is None while the result is unknown."""

    id: str | None
    thread: str
    at: int


class MessageCache:
    """The child's database, next to the device's."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
        # this is a working copy in memory or a temporary folder: a power failure loses the whole folder
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(
            "PRAGMA journal_mode = TRUNCATE"
        )  # the default makes and deletes a file each time
        self._database.executescript(_TABLES)
        self._writes = 0

    def message(self, thread: str, message: StoredMessage) -> None:
        """Stores a message, if it is new."""
        content = message.content if len(message.content) <= _CONTENT else b""
        with self._lock:
            self._database.execute(
                "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (
                    thread,
                    message.id,
                    message.chat,
                    message.sender,
                    message.outgoing,
                    not message.outgoing,
                    content,
                ),
            )
            self._writes += 1
            if self._writes % 100 == 0:
                self._prune()

    def find(self, thread: str, id: str) -> StoredMessage | None:
        """Returns a stored message, or None."""
        with self._lock:
            row = self._database.execute(
                "SELECT id, chat, sender, outgoing, content FROM messages WHERE thread = ? AND id = ?",
                (thread, id),
            ).fetchone()
        return None if row is None else StoredMessage(row[0], row[1], row[2], bool(row[3]), bytes(row[4]))

    def unread(self, thread: str, id: str, limit: int = 500) -> list[tuple[str, str, str]]:
        """Returns ID, chat and sender of that message and of the unread ones before it."""
        with self._lock:
            return self._database.execute(
                "SELECT id, chat, sender FROM messages WHERE thread = ?1 AND NOT outgoing"
                " AND (id = ?2 OR unread AND rowid <"
                " (SELECT rowid FROM messages WHERE thread = ?1 AND id = ?2)) ORDER BY rowid DESC LIMIT ?3",
                (thread, id, limit),
            ).fetchall()

    def was_read(self, thread: str, ids: list[str]) -> None:
        """Marks messages as read."""
        with self._lock:
            self._database.executemany(
                "UPDATE messages SET unread = 0 WHERE thread = ? AND id = ?", [(thread, id) for id in ids]
            )

    def send(self, part: str) -> Send | None:
        """Returns the record of a send, or None."""
        with self._lock:
            row = self._database.execute(
                "SELECT id, thread, at FROM sends WHERE part = ?", (part,)
            ).fetchone()
        return None if row is None else Send(*row)

    def begin(self, part: str, thread: str) -> None:
        """Records that a send begins."""
        with self._lock:
            self._database.execute(
                "INSERT INTO sends VALUES (?, NULL, ?, ?) ON CONFLICT DO NOTHING",
                (part, thread, int(time.time())),
            )

    def sent(self, part: str, id: str, at: int) -> None:
        """Records the ID of a sent message."""
        with self._lock:
            self._database.execute("UPDATE sends SET id = ?, at = ? WHERE part = ?", (id, at, part))

    def not_sent(self, part: str) -> None:
        """Deletes the record of a send that surely failed."""
        with self._lock:
            self._database.execute("DELETE FROM sends WHERE part = ?", (part,))

    def journal(self) -> Journal:
        """Returns the journal of events, which is in the same database."""
        return Journal(self._database, self._lock)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _prune(self) -> None:
        for table, most in (("messages", _MESSAGES), ("sends", _SENDS)):
            self._database.execute(
                f"DELETE FROM {table} WHERE rowid <= (SELECT max(rowid) FROM {table}) - {most}"  # noqa: S608  ours
            )
