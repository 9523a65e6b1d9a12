"""Worker processes that hold messenger accounts of the sandbox, on the test's database and Redis."""

import os
import re
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from core.ids import uuid7
from core.installation import ROOT
from messengers.sandbox import Conflict, Simulation
from runtime.services import Services
from tests.support import prefork, servers
from tests.support.waits import until

KEYS = {"POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32}
MOMENT = 0.02

_MADE = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted)
SELECT i.id, $2, 'telegram', 'farm-' || $3::int + i.place, 'farm', 'sandbox', true
FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, place)
"""
_HELD = "SELECT account_id, holder, fence FROM messenger_holds WHERE expires_at > now()"


class Worker:
    def __init__(self, process: prefork.Process, log: Path) -> None:
        self.process, self.log = process, log
        self.pid = process.pid

    @property
    def holder(self) -> UUID | None:
        """The name under which it holds accounts; None: it does not yet."""
        match = re.search(
            r'"holder":"([0-9a-f-]{36})","event":"messenger host started"', self.log.read_text()
        )
        return UUID(match[1]) if match else None

    def says(self, event: str) -> int:
        return self.log.read_text().count(event)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)


class Farm:
    def __init__(self, services: Services, folder: Path) -> None:
        self.services, self.folder = services, folder
        self.workers: list[Worker] = []
        self.made = 0  # accounts
        url = services.settings.redis_url
        assert url is not None
        self.redis = url.get_secret_value()
        self.simulation = Simulation(self.redis, MOMENT)

    async def worker(
        self, mutant: str | None = None, *, module: Sequence[str] = ("postern", "worker"), **environment: str
    ) -> Worker:
        """Started, and ready to hold accounts."""
        what = ["tests.messenger_hosts.mutants", mutant] if mutant else list(module)
        log = self.folder / f"worker-{len(self.workers)}.log"
        database = self.services.settings.db_string
        assert database is not None
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("POSTERN_")}
        (self.folder / "database.toml").write_text(servers.PATIENT)
        with log.open("wb") as stream:
            process = prefork.start(
                what,
                cwd=self.folder,
                env={
                    **inherited,
                    **KEYS,
                    "PYTHONPATH": str(ROOT),
                    "DB_STRING": database.get_secret_value(),
                    "REDIS_URL": self.redis,
                    "POSTERN_DATA_DIR": str(self.folder),
                    "POSTERN_DATABASE_FILE": str(self.folder / "database.toml"),
                    "POSTERN_SANDBOX_MOMENT": str(MOMENT),
                    "POSTERN_LOG_FORMAT": "json",
                    **environment,
                },
                output=stream,
            )
        made = Worker(process, log)
        self.workers.append(made)
        await until(lambda: made.holder or process.poll() is not None)
        assert made.holder, log.read_text()[-2000:]
        return made

    async def accounts(self, owner_id: UUID, count: int) -> list[UUID]:
        """Wanted ones, that nobody was told of."""
        ids = [uuid7() for _ in range(count)]
        await self.services.db.fetch(_MADE, ids, owner_id, self.made)
        self.made += count
        return ids

    async def held(self) -> dict[UUID, UUID]:
        """Account → holder, of now."""
        return {row["account_id"]: row["holder"] for row in await self.services.db.fetch(_HELD)}

    async def fences(self) -> dict[UUID, int]:
        rows = await self.services.db.fetch("SELECT account_id, fence FROM messenger_holds")
        return {row["account_id"]: row["fence"] for row in rows}

    async def states(self) -> Counter[str]:
        rows = await self.services.db.fetch("SELECT state FROM messenger_accounts")
        return Counter(row["state"] for row in rows)

    async def all_work(self, ids: list[UUID], *workers: Worker) -> None:
        """Waits until each account is held by one of these workers, has its one connection there, and works."""
        pids = {worker.holder: worker.pid for worker in workers}

        async def look() -> bool:
            held = await self.held()
            if set(held) != set(ids) or not set(held.values()) <= set(pids):
                return False
            for id, tokens in zip(ids, await self.connections(ids), strict=True):
                if [pid(token) for token in tokens] != [pids[held[id]]]:
                    return False
            return await self.states() == Counter(working=len(ids))

        await until(look, 0.1)

    async def connections(self, ids: list[UUID]) -> list[list[str]]:
        """Returns the connections that the messenger sees of each account: tokens that begin with a process's id."""
        return [await self.simulation.live(id) for id in ids]

    async def expire(self, *dead: Worker) -> None:
        """Ends the leases of dead workers, and makes the messenger forget their connections."""
        assert all(worker.process.poll() is not None for worker in dead)
        for id in [
            id for id, holder in (await self.held()).items() if holder in {worker.holder for worker in dead}
        ]:
            for token in await self.simulation.live(id):
                assert self.simulation._shared is not None
                await self.simulation._shared.leave(str(id), token)
        over = "UPDATE messenger_holds SET expires_at = now() WHERE holder = ANY($1::uuid[])"
        await self.services.db.fetch(over, [worker.holder for worker in dead])

    async def conflicts(self) -> list[Conflict]:
        return await self.simulation.conflicts()

    async def close(self) -> None:
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.send_signal(signal.SIGCONT)
                worker.process.kill()
                await worker.process.ended()
        await self.simulation.close()


def pid(token: str) -> int:
    return int(token.partition("-")[0])
