"""Ends connections to a server that has stopped answering, so that reads and writes fail in seconds.

A connection to a server that hangs looks like one whose statement takes long. So a connection that has been in use for
a while without a new statement makes this watch open another one to the same host, at most one at a time. A server that
answers has a slow statement, which goes on until `statement_timeout`, or a commit that waits for a synchronous standby,
which the log says. If it does not answer, and meanwhile none of the waiting connections has moved on, they are aborted,
and so are the idle ones to this host. What waited for them fails as for a server that can't be reached, after at most
twice `connect_timeout`.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import asyncpg
import structlog

from core.clock import CLOCK
from core.tasks import end
from db.dsn import Host
from db.hosts import Hosts

log = structlog.get_logger("postern.database")

_LOG_SECONDS = 60.0  # between two lines about a standby
_FOR_STANDBY = """
SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
"""


class HangWatch:
    """The watch of the two pools of a process, in the event loop that uses them."""

    def __init__(
        self,
        hosts: Hosts,
        in_use: Callable[[], Iterable[Any]],
        options: dict[str, Any],
        *,
        behind: Hosts | None = None,
    ) -> None:
        """`in_use` returns the asyncpg connections that are lent at this moment; `options` are those of connecting.
        `behind`: the servers, if `hosts` are those of a pooler, which answers while its server hangs.
        """
        self._hosts, self._in_use, self._options, self._behind = hosts, in_use, options, behind
        self._pause = (
            options["timeout"] / 2
        )  # a connection has waited for one or two pauses when the server is asked
        self._task: asyncio.Task[None] | None = None
        self._logged_at = float("-inf")  # when the log had the last line about a standby

    def start(self) -> None:
        """Starts the watch, if it does not run. It must be called from the event loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Ends the watch."""
        if self._task is not None:
            await end([self._task])

    async def _watch(self) -> None:
        before: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        while True:
            await asyncio.sleep(self._pause)
            now = self._statements()
            if waiting := _unmoved(before, now):
                hosts: dict[Host | None, list[Any]] = {}
                for connection in waiting:
                    hosts.setdefault(self._hosts.host_of(connection), []).append(connection)
                await asyncio.gather(*(self._ask(host, hosts[host]) for host in hosts))
            before = now

    def _statements(self) -> "WeakKeyDictionary[Any, int]":
        """Returns the connections in use, each with the number of statements that it has begun."""
        return WeakKeyDictionary(
            {connection: _begun(connection) for connection in self._in_use() if not connection.is_closed()}
        )

    async def _ask(self, host: Host | None, waiting: list[Any]) -> None:
        """Asks a host whether it answers, and aborts the waiting connections to it if not."""
        before = {connection: _begun(connection) for connection in waiting}
        try:
            connection = await self._connect(host)
        except (OSError, asyncpg.ConnectionDoesNotExistError):  # covers TimeoutError
            still = _unmoved(before, self._statements())
            if len(still) < len(before):  # the server has answered one of them, so it is only slow
                return
            log.error(
                "PostgreSQL does not answer; connections that wait for it are aborted", connections=len(still)
            )
            # The idle ones go too: one that listens for jobs would wait for ever, while another host may answer.
            idle = self._hosts.connections_to(host) if host is not None else []
            for connection in {*still, *idle}:
                connection.terminate()
        except Exception:  # a server that refuses a connection, by whatever error, has answered
            return
        else:
            try:
                await self._log_standby_wait(connection)
            finally:
                connection.terminate()

    async def _log_standby_wait(self, connection: Any) -> None:
        """Writes to the log, once a minute, that commits wait for a synchronous standby."""
        if CLOCK.monotonic() < self._logged_at + _LOG_SECONDS:
            return
        with suppress(Exception):  # the server has answered, and may be on its way down
            async with asyncio.timeout(self._options["timeout"]):
                if commits := await connection.fetchval(_FOR_STANDBY):
                    log.warning("commits wait for a synchronous standby of PostgreSQL", commits=commits)
                    self._logged_at = CLOCK.monotonic()

    async def _connect(self, host: Host | None) -> Any:
        """Connects to the host, and, if that is a pooler's, then to the server behind it, too."""
        options = self._options | {"ssl": self._hosts.dsn.tls}
        if host is None:
            connection = await self._hosts.connect(**options)
        else:
            connection = await self._hosts.connect_to(host, target_session_attrs="any", **options)
        if self._behind is None:
            return connection
        connection.terminate()
        return await self._behind.connect(**self._options, ssl=self._behind.dsn.tls)


def _begun(connection: Any) -> int:
    """Returns how many statements a connection has begun. Raises nothing for a closed one."""
    protocol = getattr(connection, "_protocol", None)
    return protocol.queries_count if protocol is not None else -1


def _unmoved(before: Any, now: Any) -> list[Any]:
    return [connection for connection, begun in now.items() if before.get(connection) == begun]
