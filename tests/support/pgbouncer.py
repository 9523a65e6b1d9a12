"""A PgBouncer before the tests' PostgreSQL, where Debian's package of that name is installed."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
ROLE_SETTINGS = (
    "statement_timeout = '15s'",
    "lock_timeout = '5s'",
    "idle_in_transaction_session_timeout = '30s'",
    "jit = off",
    "random_page_cost = 1.1",
)
"""The settings that docs/operations.md gives the role of Postern for a pooler in transaction mode."""
IGNORED = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout"


@contextmanager
def pooled(url: str, mode: str, ignored: str = IGNORED, size: int = 20) -> Iterator[str]:
    """The URL by which a database is reached through a pool of this mode."""
    with pgbouncer(url, mode, ignored, size) as pooler:
        yield pooler.url


@dataclass
class Pooler:
    """A running PgBouncer. `url` has the database of the URL that it was started with; it serves all of the server."""

    url: str
    command: list[str]
    port: int
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def start(self) -> None:
        """Starts it again after `kill`."""
        self.process = _started(self.command, self.port)


@contextmanager
def pgbouncer(
    url: str,
    mode: str,
    ignored: str = "",
    size: int = 20,
    *,
    program: str | None = PGBOUNCER,
    prepared: int = 0,
) -> Iterator[Pooler]:
    """Runs a PgBouncer before the server of `url`. Skips the test where none is installed.

    `prepared`: the prepared statements that it keeps on a server's connection, from version 1.21.
    """
    if program is None:
        pytest.skip("there is no PgBouncer (Debian's package is pgbouncer)")
    behind, port = urlsplit(url), free_port()
    with tempfile.TemporaryDirectory(prefix="postern-pgbouncer-") as folder:
        file = Path(folder) / "pgbouncer.ini"
        user = "user = nobody" if os.geteuid() == 0 else ""
        users = Path(folder) / "users.txt"
        name = unquote(behind.username or "")
        users.write_text(f'"{name}" "{unquote(behind.password or "")}"\n')
        file.write_text(
            f"[databases]\n* = host={behind.hostname} port={behind.port}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
            f"auth_type = trust\nauth_file = {users}\npool_mode = {mode}\ndefault_pool_size = {size}\n"
            f"unix_socket_dir =\n{user}\n"
            f"ignore_startup_parameters = {ignored}\nmax_client_conn = 1000\n"
            + (f"max_prepared_statements = {prepared}\n" if prepared else "")
        )
        Path(folder).chmod(0o755)
        file.chmod(0o644)
        users.chmod(0o644)
        command = [program, str(file)]
        pooler = Pooler(
            f"postgresql://{behind.username}@127.0.0.1:{port}{behind.path}",
            command,
            port,
            _started(command, port),
        )
        try:
            yield pooler
        finally:
            pooler.kill()


def _started(command: list[str], port: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: _listens(port), "PgBouncer listens")
    return process


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
