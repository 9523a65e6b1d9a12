"""Real servers of NATS with JetStream: one, or a cluster of three. Each can be killed, frozen and started again."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client

from tests.support.ports import free_port
from tests.support.waits import freeze, until

PROGRAM = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or "nats-server"


async def _ignore(_: Exception) -> None:
    pass


# Runs a server ("$@") with a file system of its own at its store ($0); it ends with the server.
_ON_SMALL_DISK = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
_MOUNT = 'mount -t tmpfs -o size={} tmpfs "$0" && exec "$@"'


class Node:
    """One server. `more`: further lines of its configuration. `disk`: the size of its disk, such as `64m`."""

    def __init__(self, folder: Path, number: int = 1, more: str = "", disk: str = "") -> None:
        self.name = f"n{number}"
        self.port, self.cluster_port = free_port(), free_port()
        self.advertised = self.cluster_port  # where the other servers reach it
        self._folder, self._more, self._disk = folder / self.name, more, disk
        self._store = self._folder / "js"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, routes: list[int] | None = None) -> None:
        """Starts it, with what it had stored before."""
        self._store.mkdir(parents=True, exist_ok=True)
        # A server would take three quarters of a small disk for all it has.
        most = ", max_file_store: 1GB" if self._disk else ""
        text = f"""
server_name: {self.name}
listen: "127.0.0.1:{self.port}"
max_payload: 1MB
jetstream {{ store_dir: "{self._store}"{most} }}
{self._more}
"""
        if routes:
            urls = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
            text += (
                f'cluster {{ name: c, listen: "127.0.0.1:{self.cluster_port}",'
                f' advertise: "127.0.0.1:{self.advertised}", routes: [{urls}] }}\n'
            )
        path = self._folder / "nats.conf"
        path.write_text(text)
        words = [PROGRAM, "-c", str(path)]
        if self._disk:
            words = [*_ON_SMALL_DISK, _MOUNT.format(self._disk), str(self._store), *words]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log)

    def fill_disk(self) -> None:
        """Fills the disk until nothing more can be written. It is empty when the server is started again."""
        block = bytes(64 * 1024)
        with suppress(OSError), Path(f"/proc/{self.pid}/root{self._store}/filler").open("wb", 0) as filler:
            while True:
                filler.write(block)

    def kill(self) -> None:
        """Ends it by SIGKILL, or what is left of it."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(10)

    def freeze(self) -> None:
        freeze(self.pid)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def log(self) -> str:
        return (self._folder / "log").read_text()


class Brokers:
    """One server, or several of one cluster."""

    def __init__(self, folder: Path, count: int = 1, more: str = "", disk: str = "") -> None:
        self.nodes = [Node(folder, number + 1, more, disk) for number in range(count)]

    @property
    def url(self) -> str:
        """Returns the address of all of them."""
        return ",".join(node.url for node in self.nodes)

    @property
    def replicas(self) -> int:
        return len(self.nodes)

    def start(self, node: Node) -> None:
        several = len(self.nodes) > 1
        node.start([each.advertised for each in self.nodes] if several else None)

    @asynccontextmanager
    async def client(self, **options: Any) -> AsyncIterator[Client]:
        """Returns a client of the library itself."""
        options = {"servers": [node.url for node in self.nodes], "error_cb": _ignore, **options}
        client = await nats.connect(
            connect_timeout=2, max_reconnect_attempts=-1, reconnect_time_wait=0.2, **options
        )
        try:
            yield client
        finally:
            await client.close()

    async def ready(self, **options: Any) -> None:
        """Waits until JetStream answers."""

        async def answers() -> bool:
            with suppress(Exception):
                async with self.client(allow_reconnect=False, **options) as client:
                    await client.jetstream(timeout=2).account_info()
                    return True
            return False

        await until(answers, 0.1)

    async def complete(self, **options: Any) -> None:
        """Waits until a stream can be placed on all servers: JetStream answers before the last one has joined."""

        async def places() -> bool:
            with suppress(Exception):
                async with self.client(allow_reconnect=False, **options) as client:
                    api = client.jetstream(timeout=2)
                    await api.add_stream(name="COMPLETE", subjects=["complete"], num_replicas=self.replicas)
                    return bool(await api.delete_stream("COMPLETE"))
            return False

        await until(places, 0.1)

    async def leader(self, stream: str) -> Node:
        """Returns the server that leads the stream."""

        async def find() -> Node | None:
            with suppress(Exception):
                async with self.client() as client:
                    info = await client.jetstream(timeout=2).stream_info(stream)
                    name = info.cluster.leader if info.cluster else self.nodes[0].name
                    return next((node for node in self.nodes if node.name == name), None)
            return None

        found: Node = await until(find, 0.1)
        return found

    async def messages(self, stream: str, **options: Any) -> list[Any]:
        """Returns all messages of a stream, in their order: each has `subject`, `data` and `headers`."""
        async with self.client(**options) as client:
            api = client.jetstream(timeout=10)
            state = (await api.stream_info(stream)).state
            found: list[Any] = []
            if not state.messages:
                return found
            reader = await api.subscribe(stream=stream, subject=">", ordered_consumer=True)
            while len(found) < state.messages:
                found.append(await reader.next_msg(timeout=20))
            return found


def may_have_small_disks(folder: Path) -> bool:
    """Returns whether servers may have a `disk` here: containers often forbid it."""
    words = [*_ON_SMALL_DISK, _MOUNT.format("1m"), str(folder), "true"]
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


@asynccontextmanager
async def running(folder: Path, count: int = 1, more: str = "", **options: Any) -> AsyncIterator[Brokers]:
    """Runs so many servers until the end of the block. `options` are those of a client that may log in."""
    async with started(Brokers(folder, count, more), **options) as brokers:
        yield brokers


@asynccontextmanager
async def started(brokers: Brokers, **options: Any) -> AsyncIterator[Brokers]:
    """Runs these servers until the end of the block. `options` are those of a client that may log in."""
    try:
        for node in brokers.nodes:
            brokers.start(node)
        try:
            await brokers.ready(**options)
            if len(brokers.nodes) > 1:
                await brokers.complete(**options)
        except TimeoutError:
            ends = (f"{node.name} ({node.url}): {node.log()[-1500:]}" for node in brokers.nodes)
            raise AssertionError("These servers did not get ready.\n" + "\n".join(ends)) from None
        yield brokers
    finally:
        for node in brokers.nodes:
            node.kill()
        await asyncio.sleep(0)
