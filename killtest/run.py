"""One run: starts the product, submits, injects the faults, waits until it is quiet, and counts."""

import asyncio
import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from killtest.adapters.port import Adapter, Place, Submitted
from killtest.counter import Statement, Submission, count
from killtest.disk import Disk
from killtest.faults import PATIENCE, Fault, schedule
from killtest.people import Person, people
from killtest.processes import Supervisor
from killtest.provider import PROVIDERS, Recorder
from killtest.provider.server import Provider

_CALM = 15.0  # seconds without an attempt at the provider: longer than it hangs
_POLL = 2.0
_SUBMIT_PAUSE = 1.0
_SUBMIT_PATIENCE = 60.0  # seconds after the last fault in which a caller still tries to submit


@dataclass(frozen=True)
class Options:
    seed: int
    number: int
    span: float = 60.0  # seconds of submissions
    quiet: float = 240.0  # seconds after the last fault, in which the product may finish
    keep: Path | None = None  # where logs are stored
    faults: bool = True


class Run:
    def __init__(self, kind: type[Adapter], options: Options) -> None:
        self.kind, self.options = kind, options
        self.everyone = people(options.number, options.seed)
        self.folder = Path(tempfile.mkdtemp(prefix=f"killtest-{kind.name}-{options.seed}-"))
        self.folder.chmod(0o755)
        self.disk = Disk(self.folder / "store")
        self.recorder = Recorder.of(self.everyone, options.seed)
        self.provider: Provider = PROVIDERS[kind.protocol](self.recorder)
        self.supervisor = Supervisor(self.folder.name, self.folder, options.seed)
        self.submissions = {person.number: Submission() for person in self.everyone}
        self.injected: list[str] = []
        self.over: float | None = None  # when the last fault began, in seconds since the start

    async def run(self) -> dict[str, Any]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))
        load = [os.getloadavg()[0]]
        adapter: Adapter | None = None
        try:
            self.disk.mount()
            await self.provider.start()
            place = Place(self.folder, self.disk.folder, self.provider.port, self.options.seed)
            adapter = self.kind(place)
            await adapter.start(self.supervisor)
            await self._under_fire(adapter)
            quiet_after, statements = await self._quiet(adapter)
            load.append(os.getloadavg()[0])
            money = await self._bounded(adapter.money())
            notes = await self._bounded(adapter.notes())
            return {
                **self._result(adapter, statements, quiet_after, load),
                "money": money,
                "waits_for": notes,
            }
        finally:
            if adapter is not None:
                await adapter.close()
            await self.supervisor.stop()
            await self.provider.stop()
            self._keep_logs()
            self.disk.unmount()
            shutil.rmtree(self.folder, ignore_errors=True)

    async def _under_fire(self, adapter: Adapter) -> None:
        span = self.options.span
        self.recorder.started = time.monotonic()
        if self.kind.bulk:
            await adapter.submit_all(self.everyone, span)
            for submission in self.submissions.values():
                submission.accepted = True
        async with asyncio.TaskGroup() as group:
            group.create_task(self._faults(group))
            if not self.kind.bulk:
                for index, person in enumerate(self.everyone):
                    group.create_task(self._submit(adapter, person, span * index / len(self.everyone)))

    async def _submit(self, adapter: Adapter, person: Person, at: float) -> None:
        """Submits at its time, and again until the product accepts it, as a careful caller does."""
        await asyncio.sleep(max(0.0, at - self._now()))
        submission = self.submissions[person.number]
        while self.over is None or self._now() - self.over < _SUBMIT_PATIENCE:
            submitted = await adapter.submit(person)
            if submitted is Submitted.accepted:
                submission.accepted = True
                return
            if submitted is Submitted.doubtful and not self.kind.recognizes:
                submission.repeated = True
            await asyncio.sleep(_SUBMIT_PAUSE)

    async def _faults(self, group: asyncio.TaskGroup) -> None:
        faults = schedule(self.options.seed, self.kind.targets, self.kind.senders, disk=self.disk.mounted)
        for fault in faults if self.options.faults else ():
            begin = time.monotonic()
            while len(self.recorder.attempts) < fault.share * len(self.everyone):
                if time.monotonic() - max(begin, self.recorder.last) > PATIENCE:
                    break
                await asyncio.sleep(0.02)
            await asyncio.sleep(fault.delay)
            group.create_task(self._inject(fault))
        self.over = self._now()

    async def _inject(self, fault: Fault) -> None:
        at, attempts, number = self._now(), len(self.recorder.attempts), 1
        match fault.kind:
            case "kill" | "freeze":
                for _ in range(100):  # a process that lives shortly, such as Postfix's cleanup, may be away
                    if self.supervisor.pids(fault.target):
                        break
                    await asyncio.sleep(0.1)
                if fault.kind == "kill":
                    number = self.supervisor.kill(fault.target)
                else:
                    number = await self.supervisor.freeze(fault.target, fault.seconds)
            case "power":
                number = self.supervisor.kill_all()
            case "black_hole":
                self.recorder.close()
                await asyncio.sleep(fault.seconds)
                self.provider.reset()
                self.recorder.reopen()
            case "provider_down":
                await self.provider.stop()
                await asyncio.sleep(fault.seconds)
                await self.provider.start()
            case "disk_full":
                await asyncio.to_thread(self.disk.fill)
                await asyncio.sleep(fault.seconds)
                self.disk.clear()
        of = f": {number} processes" if fault.kind in _OF_PROCESSES else ""
        self.injected.append(f"{at:.1f} s, {attempts} attempts: {fault}{of}")

    async def _quiet(self, adapter: Adapter) -> tuple[float | None, Mapping[int, Statement]]:
        """Waits until no message waits and the provider hears nothing. Returns the seconds; None: not in time."""
        begin = time.monotonic()
        statements: Mapping[int, Statement] = {}
        while (waited := time.monotonic() - begin) < self.options.quiet:
            with suppress(Exception):  # it may still be starting
                statements = await adapter.statements(self.everyone)
                waits = any(state is Statement.waiting for state in statements.values())
                if not waits and time.monotonic() - max(self.recorder.last, begin) > _CALM:
                    return round(waited, 1), statements
            await asyncio.sleep(_POLL)
        return None, await self._bounded(adapter.statements(self.everyone)) or statements

    async def _bounded(self, asked: Any) -> Any:
        async with asyncio.timeout(60):
            return await asked

    def _now(self) -> float:
        return time.monotonic() - self.recorder.started

    def _result(
        self,
        adapter: Adapter,
        statements: Mapping[int, Statement],
        quiet_after: float | None,
        load: list[float],
    ) -> dict[str, Any]:
        deliveries = self.recorder.deliveries()
        counts = count(self.everyone, deliveries, statements, self.submissions)
        return {
            "adapter": self.kind.name,
            "title": self.kind.title,
            "pattern": self.kind.pattern,
            "version": adapter.version(),
            "seed": self.options.seed,
            "counts": counts,
            "quiet_after": quiet_after,
            "quiet_limit": self.options.quiet,
            "span": self.options.span,
            "seconds_of_faults": round(self.over or 0.0, 1),
            "load": [round(value, 1) for value in load],
            "faults": self.injected,
            "starts": {name: service.starts for name, service in self.supervisor.services.items()},
            "strangers": self.recorder.strangers,
            "people": [
                {
                    "person": person.number,
                    "refused": person.refused,
                    "accepted": self.submissions[person.number].accepted,
                    "repeated": self.submissions[person.number].repeated,
                    "statement": statements.get(person.number, Statement.none),
                    "deliveries": len(deliveries.get(person.number, [])),
                }
                for person in self.everyone
            ],
            "attempts": self.recorder.log(),
        }

    def _keep_logs(self) -> None:
        if self.options.keep is not None:
            target = self.options.keep / f"{self.kind.name}-{self.options.seed}"
            target.mkdir(parents=True, exist_ok=True)
            for log in self.folder.glob("*.log"):
                shutil.copy(log, target)
            (target / "attempts.json").write_text(json.dumps(self.recorder.log()))


_OF_PROCESSES = {"kill", "freeze", "power"}
