"""A PgBouncer before the tests' PostgreSQL, where Debian's package of that name is installed."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
IGNORED = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout"


@contextmanager
def pooled(url: str, mode: str, ignored: str = IGNORED, size: int = 20) -> Iterator[str]:
    """The URL by which a database is reached through a pool of this mode."""
    if PGBOUNCER is None:
        pytest.skip("there is no PgBouncer (Debian's package is pgbouncer)")
    behind, port = urlsplit(url), free_port()
    name = behind.path[1:]
    with tempfile.TemporaryDirectory(prefix="postern-pgbouncer-") as folder:
        file = Path(folder) / "pgbouncer.ini"
        user = "user = nobody" if os.geteuid() == 0 else ""
        file.write_text(
            f"[databases]\n{name} = host={behind.hostname} port={behind.port} user={unquote(behind.username or '')}"
            f" password={unquote(behind.password or '')}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
            f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = {size}\nunix_socket_dir =\n{user}\n"
            f"ignore_startup_parameters = {ignored}\nmax_client_conn = 200\n"
        )
        Path(folder).chmod(0o755)
        file.chmod(0o644)
        process = subprocess.Popen(
            [PGBOUNCER, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            eventually(lambda: _listens(port), "PgBouncer listens")
            yield f"postgresql://anybody@127.0.0.1:{port}/{name}"
        finally:
            process.kill()
            process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
