"""PostgreSQL clusters of Debian's programs that a test backs up, restores, follows and promotes."""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support.debian_postgres import programs
from tests.support.ports import free_port
from tests.support.waits import PATIENCE

_USER = "postern"


class Cluster:
    """One server, in a folder of its own. Every method but `connect` waits until it is done."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        found = programs()
        if found is None:
            pytest.skip("there is no PostgreSQL of Debian's (package postgresql)")
        self.folder, self.port, self._programs = folder, port or free_port(), found
        self._account: Mapping[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._account = {"user": "postgres", "group": "postgres", "extra_groups": []}

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, database: str = "postern") -> str:
        return f"postgresql://{_USER}@{self.address}/{database}"

    def make(self, **settings: str) -> "Cluster":
        """Makes an empty cluster and starts it."""
        self._own_folder()
        self._run("initdb", "-D", self._data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        self._configure(settings)
        self.start()
        self.run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", _USER, "postern")
        return self

    def follow(self, other: "Cluster", **settings: str) -> "Cluster":
        """Copies another server, which goes on, by a base backup. With `standby.signal` it follows it."""
        self._own_folder()
        self._run(
            "pg_basebackup",
            *(
                "-h",
                "127.0.0.1",
                "-p",
                other.port,
                "-U",
                _USER,
                "-D",
                self._data,
                "-c",
                "fast",
                "-R",
                "--no-sync",
            ),
        )
        self._configure(settings)
        return self

    def start(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "start")

    def stop(self, mode: str = "fast") -> None:
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    def promote(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "promote")

    def become(self, base: "Cluster", archive: Path, target: str) -> None:
        """Replaces the stopped cluster by a base backup, recovered up to a restore point: PITR as the manual says."""
        shutil.rmtree(self._data)
        shutil.copytree(base._data, self._data, copy_function=shutil.copy2)
        for path in (self._data, *self._data.rglob("*")):
            if self._account:
                shutil.chown(path, "postgres", "postgres")
        (self._data / "standby.signal").unlink()
        (self._data / "recovery.signal").touch()
        self._configure(
            {
                "restore_command": f"cp {archive}/%f %p",
                "recovery_target_name": target,
                "recovery_target_action": "promote",
                "archive_mode": "off",
                "primary_conninfo": "",
            }
        )
        self.start()

    async def connect(self, database: str = "postern") -> asyncpg.Connection:
        return await asyncpg.connect(self.url(database))

    async def writable(self) -> None:
        """Waits until the server is no standby any more."""
        until = time.monotonic() + PATIENCE
        while True:
            connection = await self.connect()
            try:
                if not await connection.fetchval("SELECT pg_is_in_recovery()"):
                    return
            finally:
                await connection.close()
            assert time.monotonic() < until

    def run(self, program: str, *words: object) -> None:
        """Runs a program of the client's."""
        self._run(program, *words)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _own_folder(self) -> None:
        self.folder.mkdir(exist_ok=True, parents=True)
        self._data.mkdir(mode=0o700)
        if self._account:
            for path in (self.folder, self._data):
                shutil.chown(path, "postgres", "postgres")

    def _configure(self, settings: Mapping[str, str]) -> None:
        values = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            **settings,
        }
        with (self._data / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in values.items())

    def _run(self, program: str, *words: object) -> None:
        done = subprocess.run(
            [str(self._programs / program), *map(str, words)],
            timeout=PATIENCE,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            check=False,
            **self._account,
        )  # type: ignore[call-overload]
        log = self.folder / "log"
        assert done.returncode == 0, (
            program,
            done.stderr,
            log.read_text()[-1000:] if log.exists() else "",
        )
