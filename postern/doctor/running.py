"""The checks of `postern doctor` in a process that serves, without disturbing it.

They print nothing, start nothing, and never take longer than SECONDS. What reads files runs in a thread. What only the
command can check is listed in resolvers/system/__init__.py.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from core.http.allowlist import AllowlistFile
from core.settings import Settings
from core.tasks import ignore_result
from postern.doctor import local, messengers, network, servers
from postern.doctor.findings import Findings, hide_secrets
from shapes.system import Finding

SECONDS = 12.0
_ADVICE = "Check again. If it happens again, run `postern doctor` on the server, which waits longer."

log = structlog.get_logger("postern.doctor")


class Examiner:
    """Examines this process. `settings` are complete; `embedded`: their servers were started by this process."""

    def __init__(self, settings: Settings, allowlist: AllowlistFile, *, embedded: bool) -> None:
        self._settings, self._allowlist, self._embedded = settings, allowlist, embedded
        # The checks of files and channels judge the settings as the operator wrote them.
        self._written = (
            settings.model_copy(update={"db_string": None, "redis_url": None}) if embedded else settings
        )
        self._files: asyncio.Task[None] | None = None

    async def examine(self) -> Sequence[Finding]:
        """Runs the checks."""
        parts: dict[str, Callable[[Findings], Awaitable[None]]] = {
            "settings": self._check_files,
            "channels": lambda findings: _connections(findings, self._written),
            "servers": lambda findings: servers.look_at(findings, self._settings, embedded=self._embedded),
        }
        done = await asyncio.gather(*(_bounded(name, check, self._settings) for name, check in parts.items()))
        return [entry for findings in done for entry in findings.entries]

    async def _check_files(self, findings: Findings) -> None:
        """Checks files in a thread. A thread that a hanging disk keeps can't be ended, so there is only one."""
        if self._files is not None and not self._files.done():
            raise TimeoutError
        check = asyncio.to_thread(_files, findings, self._written, self._allowlist)
        self._files = ignore_result(asyncio.ensure_future(check))
        await asyncio.shield(self._files)


async def _bounded(name: str, check: Callable[[Findings], Awaitable[None]], settings: Settings) -> Findings:
    findings = Findings()
    hide_secrets(findings, settings)
    try:
        async with asyncio.timeout(SECONDS):
            await check(findings)
    except TimeoutError:
        findings.note(name, f"not everything could be checked within {SECONDS:g} s", _ADVICE)
    except Exception as error:  # one check that breaks must not hide what the others find
        log.exception("a check of the doctor failed", check=name)
        findings.note(name, f"not everything could be checked ({type(error).__name__})", _ADVICE)
    return findings


def _files(findings: Findings, settings: Settings, allowlist: AllowlistFile) -> None:
    local.names(findings)
    local.database_file(findings, settings)
    local.packages(findings)
    local.extras(findings, settings)
    local.keys(findings, settings)
    local.addresses(findings, settings)
    local.allowlist_in_use(findings, settings, allowlist)
    messengers.drivers(findings, settings)
    local.disk(findings, settings)


async def _connections(findings: Findings, settings: Settings) -> None:
    await network.channels(findings, settings)
    await network.legacy(findings, settings)
