"""The service as an operator starts it: a process of its own on a loopback port, with a log that can be read."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from core.installation import ROOT
from core.settings import Settings
from runtime.services import services
from tests.support import prefork, servers
from tests.support.people import People, Person
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

Process = prefork.Process | subprocess.Popen[bytes]
ACCEPTED = {502, 503, 504}  # 5xx that are documented answers
KEYS = {"POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32}


class Live:
    """A running service. `ada` and `bob` have money; `admin` may do all.

    Its workers run beside the API, as in an installation of several machines, and are forked like it: a child of the
    API would be a new interpreter, which takes three seconds of processor time. tests/process has such children.
    """

    def __init__(
        self,
        port: int,
        database: str,
        log: Path,
        start: Callable[..., Process],
        workers: int,
        people: dict[str, Person],
    ) -> None:
        self.port, self.database, self.log = port, database, log
        self._spawn = start
        self.process: Process = self._start()
        self.workers = [start("worker") for _ in range(workers)]
        self.ada, self.bob, self.admin = people["ada"], people["bob"], people["admin"]
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)

    def _start(self, root: Path = ROOT) -> Process:
        return self._spawn("serve", "--port", str(self.port), root=root)

    def until_up(self) -> None:
        """Waits until the service answers."""

        def up() -> bool:
            assert self.process.poll() is None, "it has ended"
            with suppress(httpx.TransportError):
                return self.client.get("/health").status_code == 200
            return False

        try:
            # To import all of it takes long beside browsers.
            eventually(up, "it is up", patience=2 * PATIENCE)
        except AssertionError as error:
            text = self.log.read_text()
            raise AssertionError(f"the service did not start ({error}):\n{text}") from None

    def kill(self) -> None:
        """Kills the API, and starts it again on the same port."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process = self._start()
        self.until_up()

    def restart(self, root: Path = ROOT) -> None:
        """Asks the API to end, waits until it has ended, and starts the one of `root` on the same port."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0
        self.process = self._start(root)
        self.until_up()

    def end(self) -> None:
        """Asks the service to end, and kills what does not."""
        processes = [self.process, *self.workers]
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def logged(self, since: int = 0) -> str:
        """The log since a mark, with all that belongs to what was answered before.

        A line is written after its answer. So a request of our own goes last, and we wait for its line.
        """
        last = f"barrier-{uuid4().hex}"
        self.client.get("/health", headers={"x-request-id": last})

        def read() -> str:
            text = self.log.read_bytes()[since:].decode(errors="replace")
            return text if last in text else ""

        return str(eventually(read, "the service writes its log", 0.005))

    def spent(self) -> float:
        """Seconds of processor time so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def mark(self) -> int:
        return self.log.stat().st_size

    def send(self, raw: bytes, *, until: float = PATIENCE, half_close: bool = False) -> bytes:
        """Bytes on a bare socket; what comes back before the server closes or falls silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=until) as connection:
            received = b""
            with suppress(OSError):
                connection.sendall(raw)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
                while chunk := connection.recv(65536):
                    received += chunk
            return received

    def sound(self, since: int, *answers: httpx.Response) -> None:
        """Checks what must hold after every attack."""
        for answer in answers:
            assert answer.status_code < 500 or answer.status_code in ACCEPTED, answer.text
            assert "Traceback" not in answer.text
            # The HTTP parser's own refusals never reach the application.
            assert "x-request-id" in answer.headers or answer.text == "Invalid HTTP request received."
        assert self.process.poll() is None, "the service died"
        assert self.client.get("/health").json() == {"status": "ok"}
        new = self.logged(since)
        assert "Traceback" not in new, new
        assert "unexpected failure" not in new, new


@contextmanager
def serving(*, workers: int = 0, **environment: str) -> Iterator[Live]:
    """A service on a fresh database, for as long as this lasts. More settings by `environment`."""
    name = f"live_{uuid4().hex}"
    url = asyncio.run(servers.create(name))
    with tempfile.TemporaryDirectory(prefix="postern-live-") as folder:
        log = Path(folder, "log")
        Path(folder, "database.toml").write_text(servers.PATIENT)
        port = free_port()
        inherited = {
            key: value for key, value in os.environ.items() if not key.startswith(("POSTERN_", "IP_ALLOW"))
        }
        settings = {
            **KEYS,
            "DB_STRING": url,
            "REDIS_URL": servers.redis_url(),
            "POSTERN_DATA_DIR": folder,
            "POSTERN_DATABASE_FILE": str(Path(folder, "database.toml")),
            "POSTERN_LIMIT_DOCUMENTS": "100000/60",
            "POSTERN_LIMIT_DOCUMENTS_GLOBAL": "100000/60",
            "POSTERN_LIMIT_LOGIN": "1000/60",
            "POSTERN_LIMIT_MESSAGES": "100000/60",
            "POSTERN_LIMIT_REGISTER": "1000/60",
            "POSTERN_DRAIN_SECONDS": "1",
            "POSTERN_LOG_FORMAT": "json",
            "POSTERN_WORKERS": "0",
            "IP_ALLOWLIST_FILE": str(Path(folder, "ip-allowlist.conf")),
            **environment,
        }

        def start(*words: str, root: Path = ROOT) -> Process:
            environment = {**inherited, **settings, "PYTHONPATH": str(root)}
            with log.open("ab") as stream:
                if root == ROOT:
                    return prefork.start(
                        ["postern", *words], cwd=Path(folder), env=environment, output=stream
                    )
                # Another version has code and files of its own, which nothing has imported.
                return subprocess.Popen(
                    [sys.executable, "-m", "postern", *words],
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                )

        people = asyncio.run(_people(url))
        live = Live(port, url, log, start, workers, people)
        try:
            with live.client:
                live.until_up()
                yield live
        finally:
            live.end()
            asyncio.run(servers.drop(name))


async def _people(url: str) -> dict[str, Person]:
    settings: Any = Settings(
        _env_file=None,
        db_string=url,
        redis_url=servers.redis_url(),
        secret_key="s" * 32,
        jwt_key="j" * 32,
        access_token_seconds=86_400,  # the tests of a package may take longer than the default of 15 minutes
    )
    nobody: Any = None  # they are called through the live client
    async with services(settings) as opened:
        people = People(opened, nobody)
        return {
            "ada": await people.make("ada@example.com", credit="100"),
            "bob": await people.make("bob@example.com", credit="100"),
            "admin": await people.make("admin@example.com", admin=True),
        }
