"""django-post-office in a Django project of its own (`programs/post_office`)."""

import asyncio
import os
import subprocess
from collections.abc import Sequence
from typing import ClassVar

from killtest.adapters.port import Place, Supervisor
from killtest.adapters.web import PROGRAMS, WebAdapter, package_version, python, tools_missing
from killtest.servers import Postgres


class PostOffice(WebAdapter):
    """django-post-office 3.12 with Django and Debian's PostgreSQL, by its README: `mail.send` in a request, and
    `send_queued_mail --processes=1` by cron, all else at its defaults.

    Different: cron starts the command every 5 s in the place of each minute, and in the place of the README's four
    retries after 15 minutes each there are 24 after 5 s (`MAX_RETRIES`, `RETRY_INTERVAL`), so that a run ends in time,
    and retries reach beyond the longest fault; `EMAIL_TIMEOUT` (Django's, none by default) is 30 s.
    """

    name = "django-post-office"
    title = "django-post-office"
    folder = "post_office"
    targets: ClassVar[Sequence[str]] = ("cron:python", "cron", "web", "postgres")
    senders: ClassVar[Sequence[str]] = ("cron:python", "cron:python")

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.postgres = Postgres(place.store)

    @classmethod
    def missing(cls) -> str | None:
        return Postgres.missing() or tools_missing("post-office", "bin", "python")

    def version(self) -> str:
        return package_version("post-office", "django_post_office")

    def environment(self) -> dict[str, str]:
        locks = self.place.folder / "locks"
        locks.mkdir(exist_ok=True)
        return {
            **super().environment(),
            "KILLTEST_DATABASE_PORT": str(self.postgres.port),
            "TMPDIR": str(locks),  # its lock file
        }

    async def start(self, supervisor: Supervisor) -> None:
        self.postgres.create()
        await supervisor.start([self.postgres.service()])
        program = python("post-office")
        await asyncio.to_thread(
            subprocess.run,
            [program, "project.py", "migrate"],
            env={**os.environ, **self.environment()},
            cwd=PROGRAMS / self.folder,
            check=True,
            capture_output=True,
        )
        command = f"while :; do {program} project.py send_queued_mail --processes=1 & sleep 5; done"
        await self.start_web(
            supervisor,
            self.service("web", program, "project.py", "web", str(self.port)),
            self.service("cron", "sh", "-c", command),
        )
