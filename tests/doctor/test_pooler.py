"""`postern doctor` behind PgBouncer: sessions are well, transactions are refused."""

import pytest

from core.database_options import DatabaseOptions
from db.pooler import shares_sessions
from db.session import Database
from tests.doctor.looking import look
from tests.support.pgbouncer import pooled


@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize(
    "ignored", ["statement_timeout,lock_timeout,idle_in_transaction_session_timeout", ""]
)
async def test_transaction_mode_is_refused(own, database, size, ignored):
    with pooled(database, "transaction", ignored, size) as url:
        seen = await look(own(db_string=url))
    line = seen.one("PostgreSQL")
    assert line.startswith("✗")
    assert "PgBouncer in transaction mode" in line
    assert "pool_mode = session" in line
    assert not seen.of("schema")


async def test_session_mode_is_well(own, database):
    with pooled(database, "session") as url:
        seen = await look(own(db_string=url))
        assert seen.one("PostgreSQL").startswith("✓")
        assert seen.one("schema").startswith("✓")
    with pooled(database, "session", "") as url:
        line = (await look(own(db_string=url))).one("PostgreSQL")
    assert "unsupported startup parameter" in line
    assert "docs/operations.md, PgBouncer" in line


async def test_postgresql_itself_shares_none(database):
    db = Database(database, DatabaseOptions(connect_timeout=30))
    assert not await shares_sessions(db)


class Process:
    """A connection whose transactions are run where the pooler says."""

    def __init__(self, servers) -> None:
        self._servers, self.open = iter(servers), True

    def transaction(self):
        return self

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *_) -> None: ...

    async def fetchval(self, sql: str) -> int:
        assert sql == "SELECT pg_backend_pid()"
        return next(self._servers)

    def terminate(self) -> None:
        self.open = False


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ([7] * 6, [8] * 5, False),
        ([7], [7], True),  # the server that was used last is used next
        ([7, 7, 9], [8, 8], True),  # one after the other
        ([7, 7], [8, 7], True),
    ],
)
async def test_who_meets_whom(first, second, shared):
    """This needs no PgBouncer."""
    connections = [Process(first), Process(second)]
    waiting = iter(connections)

    class Pooled:
        async def connect_plainly(self) -> Process:
            return next(waiting)

    assert await shares_sessions(Pooled()) is shared
    assert not any(connection.open for connection in connections)
