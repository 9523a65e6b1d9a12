"""PostgreSQL and Redis, run by ourselves, for `make run` and the tests: nothing else needs to be installed.

    with EmbeddedPostgres(Path("data")) as postgres, EmbeddedRedis(Path("data")) as redis:
        ...  # postgres.url, redis.url

The servers listen on a loopback port, behind a random password. They end when the process that started them
ends, killed or not, and a supervisor calls `ensure()` now and then to bring back one that died. This package
needs nothing else of postern.
"""

from .errors import AlreadyRunning, EmbeddedError, StartFailed
from .postgres import EmbeddedPostgres
from .redis import EmbeddedRedis

__all__ = ["AlreadyRunning", "EmbeddedError", "EmbeddedPostgres", "EmbeddedRedis", "StartFailed"]
