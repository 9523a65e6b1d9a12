"""A PostgreSQL as Debian or PyPI install it, with the settings of its package: unlike the embedded one, Debian's
compiles queries by LLVM (`jit = on`).
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.waits import PATIENCE

_INSTALLED = Path("/usr/lib/postgresql")
_LEAST = "CREATE ROLE postern LOGIN CREATEDB; GRANT SET ON PARAMETER session_replication_role TO postern"


def programs() -> Path | None:
    """Returns the folder of the server's programs; None if Debian's package is not installed."""
    found = sorted(_INSTALLED.glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    return found[-1].parent if found else None


@contextmanager
def debian_postgres(
    options: Mapping[str, str] = {}, *, folder_of_programs: Path | None = None, superuser: bool = True
) -> Iterator[str]:
    """Runs a server with a new cluster, and gives the URL of its empty database `postern`.

    `options` are added to the settings that initdb writes. `folder_of_programs`: of another server than Debian's. The
    role is a superuser, or it may make databases and change what tests/authority changes. Skips the test without the
    package.
    """
    folder_of_programs = folder_of_programs or programs()
    if folder_of_programs is None:
        pytest.skip("there is no PostgreSQL of Debian's (package postgresql)")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="postern-debian-postgres-") as folder:
        data = Path(folder, "data")
        data.mkdir()
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        if user:
            shutil.chown(folder, "postgres", "postgres")
            shutil.chown(data, "postgres", "postgres")
        _run(
            [
                folder_of_programs / "initdb",
                "-D",
                data,
                "-U",
                "postern" if superuser else "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-sync",
            ],
            user,
        )
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": "",
            **options,
        }
        (data / "conf.d").mkdir(exist_ok=True)
        with (data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        control = [folder_of_programs / "pg_ctl", "-D", data, "-w", "-l", data / "log"]
        _run([*control, "start"], user)
        try:
            server = ["-h", "127.0.0.1", "-p", str(port)]
            if not superuser:
                psql = [
                    folder_of_programs / "psql",
                    *server,
                    "-U",
                    "postgres",
                    "-d",
                    "postgres",
                    "-c",
                    _LEAST,
                ]
                _run(psql, user)
            _run([folder_of_programs / "createdb", *server, "-U", "postern", "postern"], user)
            yield f"postgresql://postern@127.0.0.1:{port}/postern"
        finally:
            _run([*control, "-m", "immediate", "stop"], user)


def _run(words: list[object], user: Mapping[str, object]) -> None:
    subprocess.run(
        [str(word) for word in words],
        check=True,
        timeout=PATIENCE,
        cwd="/",
        stdout=subprocess.DEVNULL,
        **user,
    )  # type: ignore[call-overload]
