"""A sender written with Celery, twice: acknowledging before the work, which is the default, and after it."""

from collections.abc import Sequence
from typing import ClassVar

from killtest.adapters.port import Place, Supervisor
from killtest.adapters.web import WebAdapter, package_version, python, tools_missing
from killtest.servers import Redis, missing


class Celery(WebAdapter):
    """A task with `autoretry_for`, `retry_backoff` and 12 retries, which reach beyond the longest fault, on Redis with
    its append-only file; a worker of `--concurrency 8`. A task is acknowledged before it runs, as is the default.
    """

    name = "celery"
    title = "Celery on Redis, defaults"
    pattern = True
    folder = "celery_sender"
    targets: ClassVar[Sequence[str]] = ("worker", "worker:python", "web", "redis")
    senders: ClassVar[Sequence[str]] = ("worker:python", "worker")
    late: ClassVar[bool] = False

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.redis = Redis(place.store)

    @classmethod
    def missing(cls) -> str | None:
        return missing("redis-server") or tools_missing("celery", "bin", "celery")

    def version(self) -> str:
        return package_version("celery", "celery")

    def environment(self) -> dict[str, str]:
        return {
            **super().environment(),
            "KILLTEST_REDIS": self.redis.url,
            "KILLTEST_LATE": str(int(self.late)),
            "C_FORCE_ROOT": "1",
        }

    async def start(self, supervisor: Supervisor) -> None:
        self.redis.create()
        program = python("celery")
        await self.start_web(
            supervisor,
            self.redis.service(),
            self.service("web", program, "web.py", str(self.port)),
            self.service("worker", program, "-m", "celery", "-A", "tasks", "worker", "--concurrency", "8"),
        )


class CeleryLate(Celery):
    """The same with `task_acks_late`, `task_reject_on_worker_lost` and `worker_prefetch_multiplier` 1, which the
    documentation names for work that must not be lost and may be repeated: a mail may be sent twice by design.

    Different: `visibility_timeout` is 30 s in the place of an hour, so that a run ends in time.
    """

    name = "celery-late"
    title = "Celery on Redis, acks_late"
    late = True
