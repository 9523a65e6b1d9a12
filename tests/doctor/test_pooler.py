"""`postern doctor` behind PgBouncer: sessions are well, transactions need a second address."""

from uuid import uuid4

import pytest

from core.database_options import DatabaseOptions
from db.pooler import shares_sessions
from db.session import Database
from tests.doctor.looking import look
from tests.poolers.conftest import set_for_pooler
from tests.support import servers
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
    assert "DB_DIRECT_STRING" in line
    assert "pool_mode = session" in line
    assert not seen.of("schema")


async def test_with_the_server_s_own_address_transactions_are_well(own, database):
    """Settings that the role lacks are named with their cure."""
    with pooled(database, "transaction", "") as url:
        seen = await look(own(db_string=url, db_direct_string=database))
        assert seen.one("PostgreSQL").startswith("✓")
        assert seen.one("schema").startswith("✓")
        assert seen.one("pooler").startswith("✓")
        lines = seen.of("server")
        for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            assert sum(f"PostgreSQL has {name} = 0" in line for line in lines) == 1
        assert all("ALTER ROLE" in line for line in lines)
    await set_for_pooler(database)
    with pooled(database, "transaction", "") as url:  # an open connection keeps what it had
        assert not (await look(own(db_string=url, db_direct_string=database))).of("server")


async def test_addresses_that_do_not_belong_together_are_refused(own, database):
    other = await servers.create(name := f"test_{uuid4().hex}")
    with pooled(database, "transaction", "") as url:
        line = (await look(own(db_string=url, db_direct_string=other))).one("pooler")
        assert line.startswith("✗")
        assert "another database than DB_DIRECT_STRING" in line
        line = (await look(own(db_string=url, db_direct_string=url))).one("PostgreSQL")
        assert line.startswith("✗")
        assert "DB_DIRECT_STRING must name PostgreSQL itself" in line
    await servers.drop(name)
    line = (await look(own(db_string="postgresql://me:hunt/hunter2@h/x", db_direct_string=database))).one(
        "pooler"
    )
    assert "DB_STRING can't be read" in line


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
