"""The checks of `postern doctor` in a process that serves, without disturbing it.

They print nothing, start nothing, and never take longer than SECONDS. What reads files runs in a thread. What only the
command can check is listed in resolvers/system.py.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from core.http.allowlist import AllowlistFile
from core.settings import Settings
from postern.doctor import local, messengers, network, servers
from postern.doctor.findings import Findings, hide_secrets
from shapes.system import Finding

SECONDS = 12.0
_ADVICE = "Check again. If it happens again, run `postern doctor` on the server, which waits longer."

log = structlog.get_logger("postern.doctor")


async def examine(settings: Settings, allowlist: AllowlistFile, *, embedded: bool) -> Sequence[Finding]:
    """Runs the checks. `settings` are complete; `embedded`: their servers were started by this process."""
    # The checks of files and channels judge the settings as the operator wrote them.
    written = settings.model_copy(update={"db_string": None, "redis_url": None}) if embedded else settings
    parts: dict[str, Callable[[Findings], Awaitable[None]]] = {
        "settings": lambda findings: asyncio.to_thread(_files, findings, written, allowlist),
        "channels": lambda findings: _connections(findings, written),
        "servers": lambda findings: servers.look_at(findings, settings, embedded=embedded),
    }
    done = await asyncio.gather(*(_bounded(name, check, settings) for name, check in parts.items()))
    return [entry for findings in done for entry in findings.entries]


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
