"""The two ways to the database: SQLAlchemy sessions for writes, asyncpg with prepared statements for reads."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any

import asyncpg
import orjson
from sqlalchemy import event, text
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from core.clock import steady
from core.database_options import DatabaseOptions
from core.keepalive import KEEPALIVE
from core.settings import Settings
from db.audit_scope import AuditedConnection
from db.clock import DatabaseClock
from db.connection_cache import ConnectionCache
from db.dsn import parse
from db.hang_watch import HangWatch
from db.hosts import Hosts
from db.query import Row
from db.thread import DatabaseThread


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()


def _alive(connection: Any, _record: Any, _proxy: Any) -> None:
    """Makes the pool replace a connection that a restarted server has closed, without a query."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


# Our queries take less time than their compilation. A page that an index finds costs little more than the next one of
# the table: by PostgreSQL's default of 4 a short list is searched for in a large table (decision 0095).
_SETTINGS = "SET jit = off; SET random_page_cost = 1.1"
_THREAD_CONNECTIONS = 3  # of the thread that renews the leases of claims and jobs
_ASK_AGAIN = 1.0  # seconds between two attempts to read the clock while the database does not answer


def _watch(connection: Any) -> None:
    """Sets KEEPALIVE on the socket of an asyncpg connection."""
    transport = getattr(connection, "_transport", None)
    sock = transport.get_extra_info("socket") if transport is not None else None
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE.items():
        sock.setsockopt(socket.IPPROTO_TCP, option, value)


async def _codecs(connection: Any) -> None:
    _watch(connection)
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=_json, decoder=orjson.loads, format="text"
        )


async def _watched(connection: Any) -> None:
    _watch(connection)


def _watched_too(connection: Any, _record: Any) -> None:
    _watch(connection.driver_connection)


async def _leave_as_it_is(_: Any) -> None: ...


class Database:
    """Opened once a process. Both pools connect on first use, so a start never waits for a server."""

    def __init__(
        self,
        url: str,
        options: DatabaseOptions,
        name: str = "postern",
        *,
        idle_seconds: float = 60.0,
        setting: str = "DB_STRING",
        pooler_url: str | None = None,
    ) -> None:
        """`setting`: the one that has the URL, for errors. `idle_seconds`: after this time the server ends an idle
        transaction, and with it its locks.

        `pooler_url` names a pooler in transaction mode before the server of `url`. Sessions and reads go through it,
        without what a session would have to keep; `pool` and `own_thread` do not.
        """
        self._direct = Hosts(parse(url, options, setting))
        self.hosts = self._direct if pooler_url is None else Hosts(parse(pooler_url, options))
        self.url = self.hosts.dsn.url
        self.options = options
        names = {"application_name": name, "timezone": "UTC"}
        self._direct_arguments: dict[str, Any] = {
            "timeout": options.connect_timeout,
            "command_timeout": options.statement_timeout + 5,
            "statement_cache_size": options.statement_cache,
            "ssl": self._direct.dsn.tls,
            "connection_class": AuditedConnection,
            # Startup parameters: PgBouncer has to be configured for them, see docs/operations.md.
            "server_settings": names
            | {
                "idle_in_transaction_session_timeout": str(int(idle_seconds * 1000)),
                "statement_timeout": str(int(options.statement_timeout * 1000)),
                "lock_timeout": str(int(options.lock_timeout * 1000)),
            },
        }
        self._arguments = self._direct_arguments
        if pooler_url is not None:
            # PgBouncer follows these two names from client to client. The others are the role's (docs/operations.md).
            self._arguments = self._direct_arguments | {
                "statement_cache_size": options.pooler_statement_cache,
                "ssl": self.hosts.dsn.tls,
                "server_settings": names,
            }
        self.engine: AsyncEngine = create_async_engine(
            "postgresql+asyncpg://",
            connect_args={
                **self._arguments,
                "async_creator_fn": self._connect,
                "prepared_statement_cache_size": self._arguments["statement_cache_size"],
            },
            pool_size=options.pool_size,
            max_overflow=0,
            pool_timeout=options.pool_timeout,
            json_serializer=_json,
            json_deserializer=orjson.loads,
            hide_parameters=True,  # they contain message bodies and hashes, and error texts are logged
        )
        event.listen(self.engine.sync_engine, "checkout", _alive)
        event.listen(self.engine.sync_engine, "checkout", self._lent)
        event.listen(self.engine.sync_engine, "checkin", self._returned)
        event.listen(self.engine.sync_engine, "connect", _watched_too)
        self._writing: set[Any] = set()  # asyncpg's connections that sessions use
        self._hang_watch = HangWatch(
            self.hosts,
            lambda: [*self._writing, *(self._cache.in_use() if self._cache is not None else ())],
            {"timeout": options.connect_timeout, "statement_cache_size": 0},
            behind=None if pooler_url is None else self._direct,
        )
        # Looks at each new connection, and raises for one that this process must not use (engine/restore/fence.py).
        self.admit: Callable[[asyncpg.Connection], Awaitable[None]] | None = None
        self._clock = DatabaseClock()
        self._learning: asyncio.Task[None] | None = None
        self._asked = -_ASK_AGAIN  # when `now` last started to read the clock
        self.session: async_sessionmaker[AsyncSession] = async_sessionmaker(
            self.engine, expire_on_commit=False, autoflush=False
        )
        self._reads: asyncpg.Pool | None = None
        self._cache: ConnectionCache | None = None  # the cache of the connections of `_reads`
        self._open_lock = asyncio.Lock()
        # When a statement outside SQLAlchemy's sessions was answered last, by time.monotonic().
        self.answered_at = float("-inf")
        self.thread = self.own_thread(_THREAD_CONNECTIONS)  # it starts on first use

    @classmethod
    def of(
        cls,
        settings: Settings,
        name: str,
        *,
        pooler: bool = False,
        options: DatabaseOptions | None = None,
        idle_seconds: float = 60.0,
    ) -> "Database":
        """Makes the database that the settings name; connects to nothing. Raises BadSettings.

        With DB_DIRECT_STRING it is PostgreSQL itself, past the pooler of DB_STRING, which is used only if `pooler`
        (decision 0127). `options`: in place of those of database.toml.
        """
        url, direct = settings.db_string, settings.db_direct_string
        assert url is not None
        return cls(
            (direct or url).get_secret_value(),
            options or settings.database,
            name,
            idle_seconds=idle_seconds,
            setting="DB_STRING" if direct is None else "DB_DIRECT_STRING",
            pooler_url=url.get_secret_value() if pooler and direct is not None else None,
        )

    def _lent(self, connection: Any, record: Any, _proxy: Any) -> None:
        """Has the hang watch look after a connection that a session has taken."""
        record.info["writing"] = connection.driver_connection
        self._writing.add(connection.driver_connection)
        self._hang_watch.start()

    def _returned(self, _connection: Any, record: Any) -> None:
        self._writing.discard(record.info.pop("writing", None))

    async def _connect(self, *_: Any, **options: Any) -> asyncpg.Connection:
        """Connects, and makes the settings by which the server plans the queries of this connection.

        They are no startup parameters, since a PgBouncer that is not configured for those refuses the connection.
        """
        return await self._admitted(
            await self.hosts.connect(**options), is_session=self.hosts is self._direct
        )

    async def _connect_directly(self, *_: Any, **options: Any) -> asyncpg.Connection:
        """Does the work of `_connect`, past a pooler."""
        return await self._admitted(await self._direct.connect(**options), is_session=True)

    async def _admitted(self, connection: asyncpg.Connection, *, is_session: bool) -> asyncpg.Connection:
        """Sets up a new connection, and returns it if it may be used. `is_session`: settings stay with it."""
        try:
            if is_session:
                await connection.execute(_SETTINGS)
            if self.admit is not None:
                await self.admit(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _open(self) -> ConnectionCache:
        if self._cache is None:
            async with self._open_lock:
                if self._cache is None:
                    self._reads = await asyncpg.create_pool(
                        connect=self._connect,
                        min_size=0,
                        max_size=self.options.read_pool_size,
                        max_inactive_connection_lifetime=300,
                        record_class=Row,
                        init=self._prepare,
                        # Nothing here sets session state, and the usual reset costs one more query.
                        reset=_leave_as_it_is,
                        **self._arguments,
                    )
                    self._cache = ConnectionCache(
                        self._reads, self.options.read_pool_size, self.options.pool_timeout
                    )
        return self._cache

    def now(self) -> datetime:
        """Returns the database's time without a query. A stale clock is read again in the background."""
        idle = self._learning is None or self._learning.done()
        if self._clock.stale and idle and steady() - self._asked > _ASK_AGAIN:
            with suppress(RuntimeError):  # no event loop runs
                self._asked = steady()
                self._learning = asyncio.get_running_loop().create_task(self._learn())
        return self._clock.now()

    async def _learn(self) -> None:
        with suppress(Exception):  # the database is unreachable; the clock keeps its offset
            async with self.reading() as connection:
                await self._clock.learn(connection)

    async def _prepare(self, connection: Any) -> None:
        """Sets up a new connection for reads."""
        self._hang_watch.start()
        await _codecs(connection)
        if self._clock.stale:
            await self._clock.learn(connection)

    @property
    def reads_at_work(self) -> int:
        """Returns the number of connections that run a read at this moment. Opens none."""
        return self._cache.at_work if self._cache is not None else 0

    @property
    def exhausted(self) -> bool:
        """Returns whether a read waits for a connection, or sessions have all of theirs."""
        pool: Any = self.engine.pool
        return pool.checkedout() >= self.options.pool_size or (self._cache is not None and self._cache.waits)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[asyncpg.Connection]:
        """Lends a connection of the asyncpg pool, outside any transaction: for reads and for hand-written SQL."""
        cache = self._cache or await self._open()
        connection = await cache.acquire()
        try:
            yield connection
        except (asyncpg.InternalClientError, TimeoutError):
            # The server died while it was answering, or has not answered, and the connection would wait for the rest. A
            # reset would not detect that, so it must not be used again.
            await cache.end(connection)
            raise
        except BaseException:
            await cache.drop(connection)
            raise
        self.answered_at = time.monotonic()
        if not cache.give_back(connection):
            await cache.drop(connection)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[asyncpg.Connection]:
        """Lends a connection in a transaction of its own, for hand-written SQL."""
        async with self.reading() as connection, connection.transaction():
            yield connection

    def fetch(self, sql: str, *arguments: Any) -> Coroutine[Any, Any, list[Any]]:
        """Runs one read; returns its rows."""
        return self._read("fetch", sql, arguments)

    def fetchrow(self, sql: str, *arguments: Any) -> Coroutine[Any, Any, Any]:
        """Runs one read; returns its first row, or None."""
        return self._read("fetchrow", sql, arguments)

    def fetchval(self, sql: str, *arguments: Any) -> Coroutine[Any, Any, Any]:
        """Runs one read; returns the first column of its first row."""
        return self._read("fetchval", sql, arguments)

    async def _read(self, how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        """Does the work of `reading` for one statement, without the cost of a context manager."""
        cache = self._cache or await self._open()
        connection = await cache.acquire()
        try:
            answer = await getattr(connection, how)(sql, *arguments)
        except (asyncpg.InternalClientError, TimeoutError):
            await cache.end(connection)  # as in `reading`
            raise
        except BaseException:
            await cache.drop(connection)
            raise
        self.answered_at = time.monotonic()
        if not cache.give_back(connection):
            await cache.drop(connection)
        return answer

    async def pool(self, size: int) -> asyncpg.Pool:
        """Opens a separate pool in the running event loop, past a pooler. The caller closes it."""
        return await asyncpg.create_pool(
            connect=self._connect_directly,
            min_size=0,
            max_size=size,
            init=_watched,
            reset=_leave_as_it_is,  # its users set no session state either
            **self._direct_arguments,
        )

    def own_thread(self, connections: int) -> DatabaseThread:
        """Returns a new thread with up to so many connections; see db/thread.py. The caller closes it."""
        return DatabaseThread(self.pool, connections)

    async def connect_plainly(self) -> asyncpg.Connection:
        """Opens a connection without settings and prepared statements, which any pooler accepts. To be closed."""
        return await self.hosts.connect(
            timeout=self.options.connect_timeout, ssl=self.hosts.dsn.tls, statement_cache_size=0
        )

    async def probe(self) -> None:
        """Connects and runs a query. Raises any error that this meets. The caller sets a timeout."""
        async with self.unpooled() as connection:
            await connection.fetchval("SELECT 1")

    @asynccontextmanager
    async def unpooled(self) -> AsyncIterator[Any]:
        """Gives a connection of no pool, and ends it. Raises any error of connecting. The caller sets a timeout."""
        connection = await self.hosts.connect(**self._arguments)
        try:
            yield connection
        finally:
            connection.terminate()

    async def close(self) -> None:
        """Closes the thread and both pools; connections that are in use get five seconds."""
        await self._hang_watch.close()
        await self.thread.close()
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)
        if self._reads is not None and self._cache is not None:
            await self._cache.close()
            try:
                await asyncio.wait_for(self._reads.close(), 5)
            except TimeoutError:
                self._reads.terminate()
            self._reads = self._cache = None
        await self.engine.dispose()


async def driver_connection(session: AsyncSession) -> Any:
    """Returns the asyncpg connection of a session, in its transaction: for COPY and hand-written SQL."""
    connection = await session.connection()
    raw = (await connection.get_raw_connection()).driver_connection
    if raw is not None and not raw.is_in_transaction():
        # SQLAlchemy sends BEGIN with its first statement; a direct statement before that would commit by itself.
        await session.execute(text("SELECT"))
    return raw
