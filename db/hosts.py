"""Connects to the first usable server of several."""

import asyncio
import os
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import asyncpg

from db.dsn import Dsn, Host, netloc

# As in libpq, the next host is tried if one is unreachable, starting, or a standby, but not if it refuses the login.
_NEXT = (
    OSError,  # includes TimeoutError: each host has the full timeout, or one that hangs would use up all of it
    asyncpg.CannotConnectNowError,
    asyncpg.ConnectionDoesNotExistError,
    asyncpg.TargetServerAttributeNotMatched,
)


class Hosts:
    """The servers of `DB_STRING`. The last usable one is tried first, so a dead one delays only one connection."""

    def __init__(self, dsn: Dsn) -> None:
        self.dsn = dsn
        self._last: Host | None = None
        self._of: WeakKeyDictionary[asyncpg.Connection, Host] = WeakKeyDictionary()
        # By event loop: another thread's connections must not be touched.
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, WeakSet[asyncpg.Connection]]
        self._open = WeakKeyDictionary()

    def host_of(self, connection: asyncpg.Connection) -> Host | None:
        """Returns the host that a connection goes to; None if asyncpg has chosen its default."""
        return self._of.get(connection)

    def connections_to(self, host: Host) -> list[asyncpg.Connection]:
        """Returns the open connections of the running event loop to a host, whatever pool they belong to."""
        connections = self._open.get(asyncio.get_running_loop(), ())
        return [each for each in connections if self._of.get(each) == host and not each.is_closed()]

    async def connect(self, *_: Any, **options: Any) -> asyncpg.Connection:
        """Connects. Takes asyncpg's arguments but those of the address.

        Raises TargetServerAttributeNotMatched with the state of each host if one of them is a standby and none takes
        writes, or else the last host's error.
        """
        failures: dict[Host, Exception] = {}
        for host in sorted(self.dsn.hosts, key=lambda host: host != self._last):
            try:
                connection = await self.connect_to(host, target_session_attrs=self.dsn.attributes, **options)
            except _NEXT as error:
                failures[host] = error
            else:
                self._last = host
                return connection
        if not failures:
            return await asyncpg.connect(self.dsn.url, **options)
        # "No host takes writes" says more than "the last host is unreachable".
        if any(isinstance(failure, asyncpg.TargetServerAttributeNotMatched) for failure in failures.values()):
            states = ", ".join(f"{netloc(*host)} {_state(failures[host])}" for host in self.dsn.hosts)
            raise asyncpg.TargetServerAttributeNotMatched(f"no host takes writes: {states}")
        raise next(reversed(failures.values()))

    async def connect_to(self, host: Host, **options: Any) -> asyncpg.Connection:
        """Connects to this host only."""
        connection = await asyncpg.connect(self.dsn.url, host=host[0], port=host[1], **options)
        self._of[connection] = host
        self._open.setdefault(asyncio.get_running_loop(), WeakSet()).add(connection)
        return connection


def _state(failure: Exception) -> str:
    """Returns what a host is that could not be used, in a few words."""
    match failure:
        case asyncpg.TargetServerAttributeNotMatched():
            return "is a standby"
        case TimeoutError():
            return "does not answer"
        case OSError(errno=int(number)):
            return f"can't be reached ({os.strerror(number)})"
        case _:
            return f"can't be used ({failure})"
