"""The journal of a child: events that the driver has not stored yet, in the child's own database.

The library acknowledges a message to WhatsApp as soon as its event is in a channel of at most 100. (whatsmeow can wait
until an event was handled, `SynchronousAck`; neonize does not offer it.) So an event is written here at once, and the
channel stays almost empty. A row is deleted when the driver has stored its event. Rows that are left when a child was
killed, or did not end in time, are reported by the account's next child.

    the library's thread → add → rows → deliver, in a thread of its own → the driver → stored → no row
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import orjson

from messengers.whatsapp import frames

MOST: Final = 5000  # rows, beyond which the library has to wait
TABLE: Final = "events"
_AT_ONCE = 100  # rows in one query
# States of the connection are of no use to the next child.
_LASTING = frozenset({"message", "receipt", "reaction", "deletion"})
_TABLE = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (n INTEGER PRIMARY KEY AUTOINCREMENT, lasting INTEGER, event BLOB)"
)
_FORGET = f"DELETE FROM {TABLE} WHERE NOT lasting"  # noqa: S608  names of ours
_INSERT = f"INSERT INTO {TABLE} (lasting, event) VALUES (?, ?)"  # noqa: S608  names of ours

Deliver = Callable[[int, orjson.Fragment], None]


class Journal:
    """The rows of one child. `database` is a connection that several threads may use, one at a time, under `lock`."""

    def __init__(self, database: sqlite3.Connection, lock: threading.Lock) -> None:
        self._database = database
        self._changed = threading.Condition(lock)
        with lock:
            database.execute(_TABLE)
            database.execute(_FORGET)
            self._count: int = database.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0]  # noqa: S608
        self._window = threading.Semaphore(frames.WINDOW)

    @property
    def is_empty(self) -> bool:
        """Returns whether every event is stored."""
        return not self._count

    def add(self, event: dict[str, Any]) -> None:
        """Writes an event. Waits while there are too many."""
        row = event["t"] in _LASTING, orjson.dumps(event)
        with self._changed:
            while self._count >= MOST:
                self._changed.wait()
            self._database.execute(_INSERT, row)
            self._count += 1
            self._changed.notify_all()

    def deliver(self, deliver: Deliver) -> None:
        """Delivers the rows in their order, for ever. Waits while the driver has too many that it has not stored."""
        last = 0
        query = f"SELECT n, event FROM {TABLE} WHERE n > ? ORDER BY n LIMIT {_AT_ONCE}"  # noqa: S608
        while True:
            with self._changed:
                while not (rows := self._database.execute(query, (last,)).fetchall()):
                    self._changed.wait()
            for last, event in rows:
                self._window.acquire()
                deliver(last, orjson.Fragment(event))

    def stored(self, numbers: list[int]) -> None:
        """Deletes the rows of events that the driver has stored: these, and so all before them."""
        with self._changed:
            done = self._database.execute(f"DELETE FROM {TABLE} WHERE n <= ?", (max(numbers),))  # noqa: S608
            self._count -= done.rowcount
            self._changed.notify_all()
        self._window.release(len(numbers))


def lasting_events(path: Path) -> list[bytes]:
    """Returns the events in the database of a child that has ended, the oldest first. Raises sqlite3.Error."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database:
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone() is None:
            return []
        query = f"SELECT event FROM {TABLE} WHERE lasting ORDER BY n LIMIT {MOST}"  # noqa: S608
        return [bytes(event) for (event,) in database.execute(query)]


def put_first(path: Path, events: list[bytes]) -> None:
    """Puts events before those of a database, whose child has not started yet. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(_TABLE)
        later = database.execute(f"SELECT lasting, event FROM {TABLE} ORDER BY n").fetchall()  # noqa: S608
        database.execute(f"DELETE FROM {TABLE}")  # noqa: S608
        database.executemany(_INSERT, [(1, event) for event in events])
        database.executemany(_INSERT, later)
