"""`postern serve` with its embedded servers, as an operator starts it from a terminal; and what is left of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from core.installation import ROOT
from postern.embedded.processes import alive
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually

POSTERN = [sys.executable, "-m", "postern"]
START = 2 * PATIENCE


def environment(folder: Path, **changes: str) -> dict[str, str]:
    """Returns the environment of a fresh terminal: nothing of ours but where the data is."""
    ours = ("POSTERN_", "IP_ALLOW", "DB_STRING", "REDIS_URL")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return {
        **environment,
        "PYTHONPATH": str(ROOT),
        "POSTERN_DATA_DIR": str(folder / "data"),
        "POSTERN_LOG_FORMAT": "json",
        "POSTERN_DRAIN_SECONDS": "1",
        "IP_ALLOWLIST_FILE": str(folder / "ip-allowlist.conf"),
        **changes,
    }


def run(
    folder: Path, *words: str, timeout: float = START, cwd: Path | None = None, **changes: str
) -> "subprocess.CompletedProcess[str]":
    """A command that ends by itself."""
    return subprocess.run(
        [*POSTERN, *words],
        cwd=cwd or folder,
        env=environment(folder, **changes),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def family(pid: int) -> set[int]:
    """A process and all below it, the embedded servers and their children too."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                children.setdefault(int(stat[1]), []).append(int(entry.name))
    pids, waiting = set(), [pid]
    while waiting:
        parent = waiting.pop()
        pids.add(parent)
        waiting += children.get(parent, [])
    return pids


def using(folder: Path) -> list[int]:
    """Processes that were told of this folder: by their arguments, their environment or their directory."""
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
                text += os.fsencode((entry / "cwd").readlink())
                if os.fsencode(folder) in text and alive(int(entry.name)):
                    pids.append(int(entry.name))
    return pids


class Serve:
    """Holds one `postern serve`, in a process group of its own, as a terminal would make it."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        before: Sequence[str] = (),
        command: Sequence[str] = POSTERN,
        cwd: Path | None = None,
        settings: Mapping[str, str] = {},
    ) -> None:
        self.folder, self.port = folder, free_port()
        self.log = folder / f"log-{time.monotonic_ns()}"
        begun = time.monotonic()
        with self.log.open("wb") as stream:
            self.process = subprocess.Popen(
                [*before, *command, "serve", "--port", str(self.port), *options],
                cwd=cwd or folder,
                env=environment(folder, **settings),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                process_group=0,
            )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE)
        try:
            eventually(self._up, "it is up", patience=START)
        except AssertionError:
            self.end()
            raise AssertionError(f"it is not up:\n{self.said()}") from None
        self.seconds = time.monotonic() - begun

    def _up(self) -> bool:
        assert self.process.poll() is None, f"it has ended:\n{self.said()}"
        return self.status("/health") == 200

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def status(self, path: str) -> int:
        with suppress(httpx.TransportError):
            return self.client.get(path).status_code
        return 0

    def child(self, *words: str) -> int | None:
        """A process below us whose command line has these words."""
        for pid in sorted(family(self.process.pid)):
            with suppress(OSError):
                line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if all(word in line for word in words) and alive(pid):
                    return pid
        return None

    def worker(self) -> int:
        return int(eventually(lambda: self.child("postern worker"), "a worker runs"))

    def stop(self, number: int = signal.SIGTERM, *, group: bool = False) -> int:
        """Ends it by a signal; its exit code. Nothing of it is left then."""
        members = family(self.process.pid)
        if group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        eventually(lambda: not [pid for pid in members if alive(pid)], "all of it has ended")
        assert using(self.folder / "data") == []
        self.client.close()
        return code

    def end(self) -> None:
        """Whatever happened in a test."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.client.close()

    def log_in(self, **headers: str) -> httpx.Response:
        """The answer to a login of the demo user."""
        body = {"email": "demo@postern.test", "password": "postern-demo"}
        return self.client.post("/auth/login", json=body, headers=headers)

    def login(self) -> dict[str, str]:
        """The headers of the demo user."""
        return {"Authorization": f"Bearer {self.log_in().json()['accessToken']}"}

    def states(self, headers: dict[str, str]) -> dict[str, str]:
        """Recipient → where its message is, of the newest hundred."""
        request = {"query": "{ messages(first: 100) { nodes { to deliveryState } } }"}
        answer = self.client.post("/graphql", json=request, headers=headers).json()
        return {item["to"]: item["deliveryState"] for item in answer["data"]["messages"]["nodes"]}

    def has_sent(self, headers: dict[str, str], to: str) -> bool:
        """The sandbox's receipt may come before anybody asks."""
        return self.states(headers)[to] in ("sent", "delivered")

    def has_sent_all(self, headers: dict[str, str]) -> bool:
        """Returns whether nothing waits for its first attempt or for another one."""
        return not {"queued", "sending"} & set(self.states(headers).values())

    def send(self, headers: dict[str, str], to: str) -> None:
        body = {"channel": "email", "to": to, "body": "Hello", "metadata": {"subject": "Hello"}}
        answer = self.client.post("/messages", json=body, headers=headers)
        assert answer.status_code == 202, answer.text


@contextmanager
def serving(folder: Path, *options: str, **more: Any) -> Iterator[Serve]:
    running = Serve(folder, *options, **more)
    try:
        yield running
    finally:
        running.end()
