"""An application that reaches PostgreSQL through a PgBouncer in transaction mode."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import asyncpg
import pytest

from core.settings import Settings
from tests.support.pgbouncer import ROLE_SETTINGS, Pooler, pgbouncer
from tests.support.tcp import Network, serving


async def set_for_pooler(url: str) -> None:
    """Gives the database what docs/operations.md gives the role, which other tests share."""
    db = await asyncpg.connect(url)
    for setting in ROLE_SETTINGS:
        await db.execute(f'ALTER DATABASE "{urlsplit(url).path[1:]}" SET {setting}')
    await db.close()


@pytest.fixture
async def network(database: str) -> AsyncIterator[Network]:
    """The network between PostgreSQL and all that connect to it."""
    there = urlsplit(database)
    made = Network(there.hostname, there.port)
    async with serving(made.serve) as made.port:
        yield made


@pytest.fixture
async def pooler(database: str, network: Network) -> AsyncIterator[Pooler]:
    """A PgBouncer with two connections for all clients."""
    await set_for_pooler(database)
    there = urlsplit(database)
    user = there.netloc.rpartition("@")[0]
    url = there._replace(netloc=f"{user}@127.0.0.1:{network.port}").geturl()
    opening = pgbouncer(url, "transaction", size=2)
    made = await asyncio.to_thread(opening.__enter__)
    try:
        yield made
    finally:
        await asyncio.to_thread(opening.__exit__, None, None, None)


@pytest.fixture
def settings(make_settings, database, network, pooler, tmp_path) -> Iterator[Settings]:
    (tmp_path / "database.toml").write_text('[database]\ntls = "disable"\npool_timeout = 10\n')
    there = urlsplit(database)
    user = there.netloc.rpartition("@")[0]
    direct = there._replace(netloc=f"{user}@127.0.0.1:{network.port}").geturl()
    return make_settings(db_string=pooler.url, db_direct_string=direct)
