"""Whether a pooler stands between us and PostgreSQL that gives a session's statements to any server connection."""

from typing import Any

from db.session import Database

_ROUNDS = 5


async def shares_sessions(db: Database) -> bool:
    """Returns whether two open connections meet in one server process, or one of them in two.

    That is PgBouncer's transaction mode, whatever its version and however it is reached. A connection of one's own
    (PostgreSQL itself, session mode) has one server process from beginning to end, and nobody else is in it.
    """
    first, second = await db.connect_plainly(), await db.connect_plainly()
    try:
        own = await _process(first)
        for _ in range(_ROUNDS):
            if await _process(second) == own or await _process(first) != own:
                return True
        return False
    finally:
        first.terminate()
        second.terminate()


async def _process(connection: Any) -> int:
    async with connection.transaction():  # so that the statement is run where it was prepared
        return int(await connection.fetchval("SELECT pg_backend_pid()"))
