"""PostgreSQL and Redis as child processes, for `make run` and the tests: nothing else needs to be installed.

    with EmbeddedPostgres(Path("data")) as postgres, EmbeddedRedis(Path("data")) as redis:
        ...  # postgres.url, redis.url

The servers listen on a loopback port and need a random password. They end when the process that started them ends,
even by SIGKILL. A supervisor calls `ensure()` regularly to start a server again that has died. This package imports
nothing else of postern.
"""

from postern.embedded.errors import AlreadyRunning, EmbeddedError, StartFailed
from postern.embedded.postgres import EmbeddedPostgres
from postern.embedded.redis import EmbeddedRedis

__all__ = ["AlreadyRunning", "EmbeddedError", "EmbeddedPostgres", "EmbeddedRedis", "StartFailed"]
