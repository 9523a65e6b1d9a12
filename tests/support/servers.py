"""One PostgreSQL and one Redis for a whole test run, shared by all its processes; a database a test."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import redis.asyncio as redis
from sqlalchemy.ext.asyncio import create_async_engine

from db.migrate import upgrade
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.embedded.account import Account
from postern.embedded.postgres import NAME
from tests.support.debian_postgres import debian_postgres
from tests.support.pgbouncer import ROLE_SETTINGS, pgbouncer
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

POSTGRES, REDIS = "POSTERN_TEST_POSTGRES", "POSTERN_TEST_REDIS"
LANE = "POSTERN_TEST_LANE"  # set by `make test-stock`: debian, pypi or pgbouncer
POOLER = "POSTERN_TEST_POOLER"  # the URL of a PgBouncer in transaction mode before POSTGRES, in the lane of that name
NONE = "POSTERN_TEST_WITHOUT_SERVERS"  # set by `make unit`
TEMPLATE = "postern_template"
_PGSERVER: Final = Path(__file__).resolve().parents[2] / "build/pgserver/pgserver/pginstall/bin"

# database.toml: a crowd that waits for connections, new or of the pool, waits as long as the machine needs.
PATIENT = "[database]\npool_timeout = 30\nconnect_timeout = 30\n"

# The same for clients of Redis. One that waits no longer asks a second time for what was done, or does without.
_PATIENT = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}

# Nothing here has to survive a power cut; the fault tests run servers of their own with fsync on.
_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "autovacuum": "off",
    "max_wal_size": "256MB",
}
_MAY_UNDO = f"GRANT SET ON PARAMETER session_replication_role TO {NAME}\n"
_CREATE = 'CREATE DATABASE "{}" TEMPLATE "{}" STRATEGY FILE_COPY'
_DROP = 'DROP DATABASE "{}" WITH (FORCE)'
_MEMORY, _ENOUGH = "/dev/shm", 2 * 2**30


class _Postgres(EmbeddedPostgres):
    """A server on which tests/authority may undo rows without the triggers that would follow from them."""

    def _run(self, folder: Path, account: Account | None, words: list[str], input: str = "") -> None:
        super()._run(folder, account, words, input + (_MAY_UNDO if input else ""))


@contextmanager
def running() -> Iterator[None]:
    """Starts the servers unless an outer process has, and puts their addresses into the environment."""
    if POSTGRES in os.environ or NONE in os.environ:
        yield
        return
    with _LANES[os.environ.get(LANE, "embedded")]() as (postgres_url, url_of_redis):
        os.environ[POSTGRES], os.environ[REDIS] = postgres_url, url_of_redis
        try:
            asyncio.run(_template(postgres_url))
            yield
        finally:
            del os.environ[POSTGRES], os.environ[REDIS]


@contextmanager
def _embedded() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="postern-tests-", dir=_place()) as folder:
        postgres, redis = _Postgres(Path(folder), options=_FAST), EmbeddedRedis(Path(folder))
        with postgres, redis:
            yield postgres.url, redis.url


@contextmanager
def _stock(folder_of_programs: Path | None = None) -> Iterator[tuple[str, str]]:
    """Runs a PostgreSQL and Debian's Redis with the settings that they have when they are installed, but for the number
    of connections, since many processes share them, and for fsync. The role is no superuser.
    """
    options = {name: _FAST[name] for name in ("max_connections", "fsync")}
    with (
        debian_postgres(options, folder_of_programs=folder_of_programs, superuser=False) as postgres_url,
        tempfile.TemporaryDirectory() as folder,
    ):
        port = free_port()
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                eventually(lambda: _is_open(port), "Redis is up")
                yield postgres_url, f"redis://127.0.0.1:{port}"
            finally:
                server.terminate()


def _pypi() -> AbstractContextManager[tuple[str, str]]:
    """Runs the PostgreSQL 16 of the package pgserver, which `make test-stock` installs into build/pgserver."""
    return _stock(_PGSERVER)


@contextmanager
def _pooler() -> Iterator[tuple[str, str]]:
    """Runs Debian's PostgreSQL behind its PgBouncer in transaction mode, with the role's settings that
    docs/operations.md names.
    """
    with _stock() as (postgres_url, url_of_redis):
        asyncio.run(_set_for_pooler(postgres_url))
        with pgbouncer(postgres_url, "transaction") as pooler:
            os.environ[POOLER] = pooler.url
            try:
                yield postgres_url, url_of_redis
            finally:
                del os.environ[POOLER]


async def _set_for_pooler(url: str) -> None:
    connection = await asyncpg.connect(url)
    for setting in ROLE_SETTINGS:
        await connection.execute(f"ALTER ROLE postern SET {setting}")
    await connection.close()


def urls(url: str) -> dict[str, str]:
    """Returns the settings by which a process reaches a database: through the pooler if this lane has one."""
    if POOLER not in os.environ:
        return {"db_string": url}
    return {"db_string": named(os.environ[POOLER], urlsplit(url).path.strip("/")), "db_direct_string": url}


_LANES: Final[dict[str, Callable[[], AbstractContextManager[tuple[str, str]]]]] = {
    "embedded": _embedded,
    "debian": _stock,
    "pypi": _pypi,
    "pgbouncer": _pooler,
}


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _place() -> str | None:
    """Memory, where there is enough: a database a test is ten megabytes of new files, at 10 ms or at 500."""
    try:
        return _MEMORY if shutil.disk_usage(_MEMORY).free >= _ENOUGH else None
    except OSError:
        return None


async def _template(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {TEMPLATE}")
    await connection.close()
    engine = create_async_engine(named(url, TEMPLATE).replace("postgresql://", "postgresql+asyncpg://"))
    await upgrade(engine)
    await engine.dispose()


def patient(client: redis.Redis) -> None:
    """Gives a client of the shared servers long time-outs. A server that a test stops or freezes must be found out
    sooner.
    """
    client.connection_pool.connection_kwargs.update(_PATIENT)


def named(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


async def create(name: str, template: str = TEMPLATE) -> str:
    """A fresh, migrated database, or a copy of another one that nobody is connected to; its URL."""
    connection = await asyncpg.connect(os.environ[POSTGRES])
    try:
        await connection.execute(_CREATE.format(name, template))
    finally:
        await connection.close()
    return named(os.environ[POSTGRES], name)


async def drop(name: str) -> None:
    connection = await asyncpg.connect(os.environ[POSTGRES])
    try:
        await connection.execute(_DROP.format(name))
    finally:
        await connection.close()


class Databases:
    """Makes a database for each test of this process over one connection, which costs nearly as much as the copy.

    The connection is to another database, so that no test sees it in its own. It has an event loop of its own, because
    each test has another one: so no loop may be running when these are called.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._connection: asyncpg.Connection | None = None

    def create(self, name: str) -> str:
        """Makes a fresh, migrated database, and returns its URL."""
        self._execute(_CREATE.format(name, TEMPLATE))
        return named(os.environ[POSTGRES], name)

    def drop(self, name: str) -> None:
        self._execute(_DROP.format(name))

    def close(self) -> None:
        if self._connection is not None:
            self._loop.run_until_complete(self._connection.close())
        self._loop.close()

    def _execute(self, statement: str) -> None:
        self._loop.run_until_complete(self._ask(statement))

    async def _ask(self, statement: str) -> None:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(os.environ[POSTGRES])
        await self._connection.execute(statement)


def redis_url() -> str:
    """This test process's own numbered database: 0 for the first of them."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    return f"{os.environ[REDIS].rstrip('/')}/{int(worker.removeprefix('gw'))}"
