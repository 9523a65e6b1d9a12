"""Detects a pooler in front of PostgreSQL that runs the statements of one session on several server connections."""

from typing import Any

from db.session import Database

_ROUNDS = 5


async def shares_sessions(db: Database) -> bool:
    """Returns whether two open connections use the same server process, or one of them uses two.

    That is PgBouncer's transaction mode, in any version and however it is reached. A direct connection (or PgBouncer's
    session mode) keeps one server process from beginning to end, which no other connection uses.
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
    async with connection.transaction():  # so that prepare and execute reach the same server process
        return int(await connection.fetchval("SELECT pg_backend_pid()"))
