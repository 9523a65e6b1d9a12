"""Runs SQL that migrates: scripts of several statements, and changes of tables that every request needs."""

import time
from collections.abc import Callable

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

_WAIT = "SET LOCAL lock_timeout = '300ms'"
_PAUSE = 0.5  # seconds, in which others go on
_TRIES = 600
_NOT_AVAILABLE = "55P03"


def run(connection: Connection, script: str) -> None:
    """Runs a script in the connection's transaction. Raises what asyncpg raises.

    SQLAlchemy prepares what it executes, and a prepared statement is only one.
    """
    connection.exec_driver_sql("SELECT 1")  # begins the transaction, if none is open
    connection.connection.run_async(lambda raw: raw.execute(script))


def briefly(connection: Connection, work: Callable[[], None]) -> None:
    """Does work that locks tables, as the last step of a transaction. Raises what the work raises.

    A statement that waits for a lock makes all others wait that come after it. So the work's statements wait for
    0.3 s, give up what they have locked, and the work is done again half a second later, six hundred times. It is the
    last step, since what is locked stays so until the commit.
    """
    for attempt in range(1, _TRIES + 1):
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(_WAIT)
                work()
            return
        except (DBAPIError, asyncpg.PostgresError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            if getattr(cause, "sqlstate", None) != _NOT_AVAILABLE or attempt == _TRIES:
                raise
            time.sleep(_PAUSE)
