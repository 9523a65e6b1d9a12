"""`postern doctor` names settings of PostgreSQL that lose data or make Postern slow."""

from urllib.parse import urlsplit

import asyncpg

from tests.doctor.looking import look


async def test_the_tests_own_server_is_no_place_for_data(own):
    seen = await look(own())
    lines = "\n".join(seen.of("server"))
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        assert f"✗ server      PostgreSQL has {name} = off" in lines
    assert "! server      PostgreSQL has autovacuum = off" in lines
    assert "jit" not in lines
    assert "random_page_cost" not in lines
    assert "shared_buffers" not in lines


async def test_settings_of_the_database_count(own, database):
    name = urlsplit(database).path[1:]
    connection = await asyncpg.connect(database)
    for change in ("synchronous_commit = on", "default_transaction_isolation = serializable"):
        await connection.execute(f'ALTER DATABASE "{name}" SET {change}')
    await connection.close()
    lines = "\n".join((await look(own())).of("server"))
    assert "synchronous_commit" not in lines
    assert "✗ server      PostgreSQL has default_transaction_isolation = serializable" in lines


async def test_a_pooler_that_drops_our_settings(own, monkeypatch):
    """Stands for one that answers SET and forgets it: our connection has the database's own values."""
    from db.session import Database

    async def connect(self, *_, **options):
        connection = await self.hosts.connect(**options)
        await connection.execute("SET jit = on; SET random_page_cost = 4")
        return connection

    monkeypatch.setattr(Database, "_connect", connect)
    lines = "\n".join((await look(own())).of("server"))
    assert "PostgreSQL has jit = on" in lines
    assert "PostgreSQL has random_page_cost = 4" in lines
