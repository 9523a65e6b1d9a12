"""`postern doctor`: checks what a start and daily operation depend on, and says what to do about each problem.

It prints one line a finding: ✓ is well, ! is worth knowing, ✗ is a problem. It changes nothing and logs in nowhere
but to PostgreSQL and Redis; embedded servers that don't run are started for the check, as `postern serve` would.
Every line passes `Findings`, which masks the secrets of the settings, even if an error message repeats one.
"""

from collections.abc import Callable

from core import logs
from core.database_options import BadSettings
from core.settings import Settings, load
from core.settings_files import overlooked
from postern.doctor import local, messengers, network, servers
from postern.doctor.findings import Findings, Say, hide_secrets

__all__ = ["Findings", "examine"]


async def examine(say: Say, read: Callable[[], Settings] = load) -> int:
    """Runs all checks and passes one line a finding to `say`. Returns the number of problems."""
    logs.configure("critical")
    findings = Findings(say)
    local.names(findings)
    try:
        settings = read()
    except BadSettings as error:
        for problem in error.problems:
            findings.bad(
                "settings",
                problem,
                "Correct it in the environment or in .env, then run postern doctor again.",
            )
        return findings.problems
    hide_secrets(findings, settings)
    where = "embedded servers (no DB_STRING)" if settings.embedded else "servers of your own (DB_STRING)"
    findings.good("settings", f"read; {where}")
    if there := overlooked(settings):
        findings.note("settings", "embedded, but this machine has settings of a service", there)
    local.own_servers(findings, settings)
    local.packages(findings)
    local.extras(findings, settings)
    local.keys(findings, settings)
    local.addresses(findings, settings)
    local.allowlist(findings, settings)
    messengers.drivers(findings, settings)
    await network.channels(findings, settings)
    await network.legacy(findings, settings)
    await network.port(findings, settings)
    local.disk(findings, settings)
    if local.database_file(findings, settings):
        await servers.look(findings, settings)
    return findings.problems
