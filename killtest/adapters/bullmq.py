"""A sender written with BullMQ and nodemailer."""

import json
from collections.abc import Sequence
from typing import ClassVar

from killtest.adapters.port import Place, Supervisor
from killtest.adapters.web import PROGRAMS, TOOLS, WebAdapter, tools_missing
from killtest.servers import Redis, missing


class BullMq(WebAdapter):
    """A queue with `attempts` 7, exponential backoff from 2 s and a `jobId` for each person, by the documentation's
    "Going to production": Redis with its append-only file and `noeviction`, `maxRetriesPerRequest: null` for the
    worker, no offline queue for the caller; two workers of `concurrency` 8. Locks and stalled jobs are at their
    defaults (30 s, one time). BullMQ says that a stalled job runs again: a mail may be sent twice by design.
    """

    name = "bullmq"
    title = "BullMQ"
    pattern = True
    recognizes = True  # by its jobId
    folder = "bullmq_sender"
    targets: ClassVar[Sequence[str]] = ("worker-1", "worker-2", "web", "redis")
    senders: ClassVar[Sequence[str]] = ("worker-1", "worker-2")

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.redis = Redis(place.store)

    @classmethod
    def missing(cls) -> str | None:
        return missing("redis-server", "node") or tools_missing("bullmq", "node_modules", "bullmq")

    def version(self) -> str:
        package = TOOLS / "bullmq" / "node_modules" / "bullmq" / "package.json"
        return str(json.loads(package.read_text())["version"])

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "KILLTEST_REDIS_PORT": str(self.redis.port)}

    async def start(self, supervisor: Supervisor) -> None:
        self.redis.create()
        programs = self.place.folder / "programs"  # Node looks for packages beside the program
        programs.mkdir()
        (programs / "node_modules").symlink_to(TOOLS / "bullmq" / "node_modules")
        for name in ("web.mjs", "worker.mjs"):
            (programs / name).write_text((PROGRAMS / self.folder / name).read_text())
        services = [
            self.service("web", "node", str(programs / "web.mjs"), str(self.port)),
            self.service("worker-1", "node", str(programs / "worker.mjs")),
            self.service("worker-2", "node", str(programs / "worker.mjs")),
        ]
        await self.start_web(supervisor, self.redis.service(), *services)
