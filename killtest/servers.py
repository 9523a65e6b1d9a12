"""The servers that a product stores its data in: PostgreSQL and Redis of the system, as private instances."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from killtest.processes import Service

_PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def listening(port: int) -> Callable[[], Awaitable[None]]:
    """Returns a function that waits until a port of this machine accepts connections."""

    async def wait() -> None:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return

    return wait


def missing(*programs: str) -> str | None:
    """Returns a sentence about the first program that is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return None


def _postgres_folder() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return folders[-1].parent if folders else None


class Postgres:
    """A cluster of Debian's PostgreSQL with its default settings: fsync, full_page_writes and synchronous_commit are
    on. A power cut is imitated by kills, so what the kernel has in its buffers is not lost.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder / "postgres", free_port()
        self.programs = _postgres_folder()
        self.dsn = f"postgresql://killtest@127.0.0.1:{self.port}/killtest"
        self._as_user: Sequence[str] = ()

    @staticmethod
    def missing() -> str | None:
        return None if _postgres_folder() else "PostgreSQL is not installed (Debian: postgresql)"

    def create(self) -> None:
        assert self.programs is not None
        self.folder.mkdir()
        if os.geteuid() == 0:  # PostgreSQL refuses to be root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as_user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
        subprocess.run(
            [*self._as_user, str(self.programs / "initdb"), "-D", str(self.folder), "-U", "killtest", "-E", "UTF8",
             "--locale=C.UTF-8", "--auth=trust"],
            check=True, capture_output=True, cwd="/",
        )  # fmt: skip
        with (self.folder / "postgresql.conf").open("a") as file:
            file.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
                "max_wal_size = '96MB'\nmin_wal_size = '32MB'\n"  # for the small disk
            )

    def service(self) -> Service:
        assert self.programs is not None
        command = [*self._as_user, str(self.programs / "postgres"), "-D", str(self.folder)]
        return Service("postgres", command, folder=Path("/"), ready=self._ready)

    async def _ready(self) -> None:
        assert self.programs is not None
        deadline = time.monotonic() + _PATIENCE
        create = [
            str(self.programs / "createdb"),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "killtest",
            "killtest",
        ]
        while True:
            done = await asyncio.create_subprocess_exec(
                *create, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
            )
            _, problem = await done.communicate()
            if done.returncode == 0 or b"already exists" in problem:
                return
            if time.monotonic() > deadline:
                raise TimeoutError(problem.decode())
            await asyncio.sleep(0.2)


class Redis:
    """Redis with the append-only file that the documentation of each product here asks for in production."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder / "redis", free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    @staticmethod
    def missing() -> str | None:
        return missing("redis-server")

    def create(self) -> None:
        self.folder.mkdir()

    def service(self) -> Service:
        command = [
            "redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder),
            "--appendonly", "yes", "--maxmemory-policy", "noeviction",
        ]  # fmt: skip
        return Service("redis", command, ready=listening(self.port))
