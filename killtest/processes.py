"""Starts the processes of a product, and starts them again when they die, as systemd does with `Restart=always`.

When the main process of a service ends, its other processes are killed before the next start
(`KillMode=control-group`), and the start comes two seconds later.
"""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

MARK = "KILLTEST_SERVICE"  # in the environment of each process of a run
RESTART_SECONDS = 2.0
_READY_SECONDS = 120.0


@dataclass
class Service:
    """A process of the product with its children. `ready` waits until it serves."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    ready: Callable[[], Awaitable[None]] | None = None
    prepare: Callable[[], None] | None = (
        None  # runs before each start, such as the removal of a stale pid file
    )
    main: asyncio.subprocess.Process | None = None
    starts: int = 0


class Supervisor:
    def __init__(self, run: str, logs: Path, seed: int) -> None:
        self.run, self.logs = run, logs
        self.services: dict[str, Service] = {}
        self._watchers: list[asyncio.Task[None]] = []
        self._dice = Random(f"supervisor:{seed}")
        self._stopping = False

    async def start(self, services: Sequence[Service]) -> None:
        """Starts services one after the other, each when the one before is ready."""
        for service in services:
            self.services[service.name] = service
            await self._spawn(service)
            self._watchers.append(asyncio.create_task(self._watch(service)))
            if service.ready is not None:
                async with asyncio.timeout(_READY_SECONDS):
                    await service.ready()

    async def _spawn(self, service: Service) -> None:
        if service.prepare is not None:
            service.prepare()
        service.starts += 1
        with (self.logs / f"{service.name}.log").open("ab") as log:
            service.main = await asyncio.create_subprocess_exec(
                *service.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=service.folder,
                env={**os.environ, **service.environment, MARK: f"{self.run}:{service.name}"},
                start_new_session=True,
            )

    async def _watch(self, service: Service) -> None:
        while True:
            assert service.main is not None
            await service.main.wait()
            if self._stopping:
                return
            _signal(self.pids(service.name), signal.SIGKILL)
            await asyncio.sleep(RESTART_SECONDS)
            await self._spawn(service)

    def pids(self, target: str) -> list[int]:
        """Returns the processes of a target, which is `service` or `service:command`; the main process is the first."""
        name, _, command = target.partition(":")
        service = self.services[name]
        main = service.main.pid if service.main is not None and service.main.returncode is None else 0
        processes = _processes()
        of_service = {pid for pid, (_, mark) in processes.items() if mark == f"{self.run}:{name}"}
        of_service |= _descendants(main, {pid: parent for pid, (parent, _) in processes.items()})
        ordered = sorted(of_service, key=lambda pid: (pid != main, pid))
        return [pid for pid in ordered if not command or _command(pid) == command]

    def kill(self, target: str) -> int:
        """Kills one process of the target with SIGKILL: of a service the main one. Returns how many were killed."""
        pids = self.pids(target)
        chosen = pids[:1] if ":" not in target else pids and [self._dice.choice(pids)]
        _signal(chosen, signal.SIGKILL)
        return len(chosen)

    def kill_all(self) -> int:
        """Kills all processes of all services at once."""
        pids = [pid for name in self.services for pid in self.pids(name)]
        _signal(pids, signal.SIGKILL)
        return len(pids)

    async def freeze(self, target: str, seconds: float) -> int:
        """Stops all processes of the target for so long. Returns how many they were."""
        pids = self.pids(target)
        _signal(pids, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            _signal(pids, signal.SIGCONT)
        return len(pids)

    async def stop(self) -> None:
        self._stopping = True
        for watcher in self._watchers:
            watcher.cancel()
        for _ in range(20):
            if not self.kill_all():
                break
            await asyncio.sleep(0.1)


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _processes() -> dict[int, tuple[int, str]]:
    """Returns the parent and the mark of each living process."""
    processes = {}
    prefix = f"{MARK}=".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
                if state == "Z":
                    continue
                words = (folder / "environ").read_bytes().split(b"\0")
                mark = next((word[len(prefix) :].decode() for word in words if word.startswith(prefix)), "")
                processes[int(folder.name)] = (int(parent), mark)
    return processes


def _descendants(root: int, parents: Mapping[int, int]) -> set[int]:
    if not root:
        return set()
    family, size = {root}, 0
    while size != len(family):
        size = len(family)
        family |= {pid for pid, parent in parents.items() if parent in family}
    return family


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""
