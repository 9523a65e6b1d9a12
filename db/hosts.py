"""Connecting to the first server of several that will do."""

from typing import Any

import asyncpg

from db.dsn import Dsn, Host

# As in libpq, another host is tried when one can't be reached, is starting, or is a standby; not when it refuses us.
_NEXT = (
    OSError,  # a TimeoutError too: each host has the whole time, or one that hangs would leave none for the others
    asyncpg.CannotConnectNowError,
    asyncpg.ConnectionDoesNotExistError,
    asyncpg.TargetServerAttributeNotMatched,
)


class Hosts:
    """The servers of `DB_STRING`. The one that did last is tried first, so a dead one costs one connection its time."""

    def __init__(self, dsn: Dsn) -> None:
        self.dsn = dsn
        self._last: Host | None = None

    async def connect(self, *_: Any, **options: Any) -> asyncpg.Connection:
        """Takes asyncpg's arguments, but for where. Raises what the last host made of it, if none will do."""
        failures: list[Exception] = []
        for host in sorted(self.dsn.hosts, key=lambda host: host != self._last):
            try:
                connection = await self.connect_to(host, target_session_attrs=self.dsn.attributes, **options)
            except _NEXT as error:
                failures.append(error)
            else:
                self._last = host
                return connection
        if not failures:
            return await asyncpg.connect(self.dsn.url, **options)
        # That there are only standbys says more than that another host is away.
        raise next(
            (one for one in failures if isinstance(one, asyncpg.TargetServerAttributeNotMatched)),
            failures[-1],
        )

    async def connect_to(self, host: Host, **options: Any) -> asyncpg.Connection:
        return await asyncpg.connect(self.dsn.url, host=host[0], port=host[1], **options)
