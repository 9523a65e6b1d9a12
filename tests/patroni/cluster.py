"""An etcd, and three PostgreSQL servers under Patroni, on loopback, whose processes are killed by their ids."""

import asyncio
import json
import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import aiohttp
import asyncpg
import yaml

from tests.support.debian_postgres import programs
from tests.support.ports import free_port

Process = asyncio.subprocess.Process

NAMES: Final = ("one", "two", "three")
SYNCHRONOUS: Final[Mapping[str, Any]] = {"synchronous_mode": True, "synchronous_mode_strict": True}
ASYNCHRONOUS: Final[Mapping[str, Any]] = {
    "synchronous_mode": False,
    "synchronous_mode_strict": False,
    "maximum_lag_on_failover": 2**30,  # a standby that lacks a tail is promoted all the same
}
# With `primary_start_timeout` 0 a standby takes over when PostgreSQL has crashed, which is quicker than its recovery.
_TIMES: Final = {"ttl": 20, "loop_wait": 5, "retry_timeout": 5, "primary_start_timeout": 0}
_PASSWORDS: Final = {"postgres": "of the superuser", "replicator": "of replication", "postern": "hunter2"}
_SECONDS: Final = 120.0  # for a node to do what it is waited for


def missing() -> str | None:
    """Returns a sentence about what is not installed; None if the cluster can run."""
    if programs() is None:
        return "PostgreSQL is not installed (Debian's package postgresql)."
    for program, package in (("etcd", "etcd-server"), ("patroni", "patroni"), ("patronictl", "patroni")):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian's package {package})."
    return None


class Node:
    """One machine's worth: a Patroni, and the PostgreSQL that it starts."""

    def __init__(self, name: str, folder: Path, etcd_port: int, run: Mapping[str, Any]) -> None:
        """`run`: the options by which programs are started."""
        self.name, self.folder, self._run = name, folder, run
        self.port, self.rest_port, self._etcd_port = free_port(), free_port(), etcd_port
        self.process: Process | None = None

    @property
    def configuration(self) -> Path:
        return self.folder / "patroni.yml"

    def configure(self) -> None:
        """Makes the folder, and writes what Patroni reads."""
        bin_dir = programs()
        assert bin_dir is not None
        self.folder.mkdir()
        access = [f"host {what} all 127.0.0.1/32 scram-sha-256" for what in ("all", "replication")]
        settings = {
            "scope": "postern",
            "name": self.name,
            "restapi": _address(self.rest_port),
            "etcd3": {"host": f"127.0.0.1:{self._etcd_port}"},
            "bootstrap": {
                "dcs": {
                    **_TIMES,
                    **SYNCHRONOUS,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "use_slots": True,
                        "parameters": {"max_connections": 200, "wal_retrieve_retry_interval": "1s"},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, "data-checksums"],
                "pg_hba": access,
            },
            "postgresql": {
                **_address(self.port),
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(bin_dir),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    role: {"username": name, "password": _PASSWORDS[name]}
                    for role, name in (("superuser", "postgres"), ("replication", "replicator"))
                },
                "parameters": {"unix_socket_directories": str(self.folder)},
                "pg_hba": access,
            },
        }
        self.configuration.write_text(yaml.safe_dump(settings))
        _give(self.folder, self._run)

    async def start(self) -> None:
        """Starts Patroni, which starts PostgreSQL."""
        with (self.folder / "patroni.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                "patroni", str(self.configuration), stdout=log, stderr=log, start_new_session=True, **self._run,
            )  # fmt: skip

    def postmaster(self) -> int | None:
        """Returns the process of PostgreSQL, which Patroni does not stay the parent of."""
        with suppress(OSError, ValueError, IndexError):
            # That of a server in single-user mode has a minus.
            pid = abs(int((self.folder / "data/postmaster.pid").read_text().split("\n")[0]))
            if str(self.folder / "data") in Path(f"/proc/{pid}/cmdline").read_text():
                return pid
        return None

    def kill_postgres(self) -> None:
        """Kills PostgreSQL's main process, as a kernel without memory does; the others end by themselves."""
        pid = self.postmaster()
        assert pid is not None, f"PostgreSQL of {self.name} does not run"
        os.kill(pid, signal.SIGKILL)

    async def kill(self) -> None:
        """Kills Patroni and all of PostgreSQL at once, as if the machine had lost its power."""
        self.signal(signal.SIGKILL)
        assert self.process is not None
        await self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to Patroni and to all processes of PostgreSQL, the main one first."""
        pid = self.postmaster()
        runs = self.process is not None and self.process.returncode is None
        patroni = [self.process.pid] if self.process is not None and runs else []
        for each in [*patroni, *([pid, *_children(pid)] if pid is not None else [])]:
            with suppress(ProcessLookupError):
                os.kill(each, number)

    async def stop(self) -> None:
        """Ends what runs of this node, at once."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            await self.process.wait()


class Cluster:
    """The three nodes, and the etcd that decides who is the primary."""

    def __init__(self, folder: Path) -> None:
        self._run: dict[str, Any] = {
            "cwd": folder,
            "env": {**os.environ, "HOME": str(folder)},  # that of another user can't be read
            "stdin": asyncio.subprocess.DEVNULL,
        }
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._run |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        self.folder = folder
        self._etcd_port = free_port()
        self.nodes = [Node(name, folder / name, self._etcd_port, self._run) for name in NAMES]
        self._etcd: Process | None = None

    @property
    def dsn(self) -> str:
        """Returns what DB_STRING is: all hosts, of which the one that takes writes is used."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        password = _PASSWORDS["postern"]
        return f"postgresql://postern:{password}@{hosts}/postern?target_session_attrs=read-write"

    async def start(self) -> None:
        """Starts all of it, and makes an empty database."""
        self.folder.mkdir(mode=0o711, exist_ok=True)
        _give(self.folder, self._run)
        url, peer = f"http://127.0.0.1:{self._etcd_port}", f"http://127.0.0.1:{free_port()}"
        with (self.folder / "etcd.log").open("ab") as log:
            self._etcd = await asyncio.create_subprocess_exec(
                "etcd", "--data-dir", str(self.folder / "etcd"), "--name", "etcd",
                "--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", f"etcd={peer}",
                stdout=log, stderr=log, start_new_session=True, **self._run,
            )  # fmt: skip
        for node in self.nodes:
            node.configure()
        await self.nodes[0].start()
        await self.leader()
        for node in self.nodes[1:]:
            await node.start()
        await self.settled()
        db = await self.connect("postgres")
        await db.execute(f"CREATE ROLE postern LOGIN PASSWORD '{_PASSWORDS['postern']}'")
        await db.execute("CREATE DATABASE postern OWNER postern")
        await db.close()

    async def connect(self, database: str = "postern", node: Node | None = None) -> asyncpg.Connection:
        """Connects to a node as the superuser; None is the primary."""
        node = node or await self.leader()
        return await asyncpg.connect(
            host="127.0.0.1",
            port=node.port,
            user="postgres",
            password=_PASSWORDS["postgres"],
            database=database,
        )

    async def leader(self) -> Node:
        """Waits for a primary that runs, and returns its node."""
        until = time.monotonic() + _SECONDS
        while True:
            for node in self.nodes:
                if await _status(node, "primary") == 200:
                    return node
            assert time.monotonic() < until, f"there is no primary; {self.folder} has the logs"
            await asyncio.sleep(0.1)

    async def settled(self, *, synchronous: bool = True) -> Node:
        """Waits until both standbys follow the primary, and Patroni has noted one of them as the synchronous one, which
        it may promote. Returns the primary's node.
        """
        until = time.monotonic() + _SECONDS
        rows: Sequence[Any] = []
        while True:
            node = await self.leader()
            with suppress(OSError, asyncpg.PostgresError, TimeoutError):
                db = await asyncio.wait_for(self.connect("postgres", node), 5)
                try:
                    rows = await db.fetch(
                        "SELECT application_name, sync_state FROM pg_stat_replication WHERE state = 'streaming'"
                    )
                finally:
                    await db.close()
                follow = len({row["application_name"] for row in rows} & set(NAMES)) == len(NAMES) - 1
                decided = await self._synchronous() is not None
                if follow and decided is any(row["sync_state"] == "sync" for row in rows) is synchronous:
                    return node
            assert time.monotonic() < until, f"the standbys don't follow: {rows}; {self.folder} has the logs"
            await asyncio.sleep(0.2)

    async def configure(self, changes: Mapping[str, Any]) -> None:
        """Changes the settings of the whole cluster, as `patronictl edit-config` does."""
        node = await self.leader()
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{node.rest_port}/config"
            async with session.patch(url, data=json.dumps(changes)) as answer:
                assert answer.status == 200, await answer.text()

    async def switch_over(self) -> None:
        """Makes a standby the primary in order, by the command that docs/operations.md names."""
        node = await self.leader()
        candidate = await self._synchronous()
        assert candidate is not None
        child = await asyncio.create_subprocess_exec(
            "patronictl", "-c", str(node.configuration), "switchover", "--leader", node.name,
            "--candidate", candidate.name, "--force", "postern",
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, **self._run,
        )  # fmt: skip
        said, _ = await child.communicate()
        assert child.returncode == 0 and b"Successfully switched over" in said, said.decode()

    async def _synchronous(self) -> Node | None:
        for node in self.nodes:
            if await _status(node, "synchronous") == 200:
                return node
        return None

    async def senders(self) -> list[int]:
        """Returns the processes of the primary that send WAL to standbys."""
        db = await self.connect("postgres")
        try:
            return [row["pid"] for row in await db.fetch("SELECT pid FROM pg_stat_replication")]
        finally:
            await db.close()

    async def stop(self) -> None:
        """Ends all processes of the cluster."""
        for node in self.nodes:
            await node.stop()
        if self._etcd is not None and self._etcd.returncode is None:
            self._etcd.kill()
            await self._etcd.wait()


def _address(port: int) -> dict[str, str]:
    return {"listen": f"127.0.0.1:{port}", "connect_address": f"127.0.0.1:{port}"}


def _give(path: Path, account: Mapping[str, Any]) -> None:
    for each in (path, *path.iterdir()) if "user" in account else ():
        shutil.chown(each, account["user"], account["group"])
    path.chmod(0o711)


def _children(pid: int) -> list[int]:
    """Returns the processes that PostgreSQL's main process has started."""
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    return children


async def _status(node: Node, what: str) -> int | None:
    """Returns how the node's Patroni answers whether it is `what`; None if it does not answer."""
    url, timeout = f"http://127.0.0.1:{node.rest_port}/{what}", aiohttp.ClientTimeout(2)
    with suppress(aiohttp.ClientError, TimeoutError):
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as answer:
            return answer.status
    return None
