"""`postern doctor`: checks what a start and daily operation depend on, and says what to do about each problem.

It prints one line a finding: ✓ is well, ! is worth knowing, ✗ is a problem. It changes nothing and logs in nowhere
but to PostgreSQL and Redis; embedded servers that don't run are started for the check, as `postern serve` would.
Every line passes `Findings`, which masks the secrets of the settings, even if an error message repeats one.
"""

from collections.abc import Callable

from core import logs
from core.settings import BadSettings, Settings, load, overlooked
from postern.doctor import local, messengers, network, servers
from postern.doctor.findings import Findings, Say, hide_secrets

__all__ = ["Findings", "examine"]


async def examine(say: Say, read: Callable[[], Settings] = load) -> int:
    """Runs all checks and passes one line a finding to `say`. Returns the number of problems."""
    logs.configure("critical")
    found = Findings(say)
    local.names(found)
    try:
        settings = read()
    except BadSettings as error:
        for said in error.problems:
            found.bad(
                "settings", said, "Correct it in the environment or in .env, then run postern doctor again."
            )
        return found.problems
    hide_secrets(found, settings)
    where = "embedded servers (no DB_STRING)" if settings.embedded else "servers of your own (DB_STRING)"
    found.good("settings", f"read; {where}")
    if there := overlooked(settings):
        found.note("settings", "embedded, but this machine has settings of a service", there)
    local.own_servers(found, settings)
    local.packages(found)
    local.keys(found, settings)
    local.addresses(found, settings)
    local.allowlist(found, settings)
    messengers.drivers(found, settings)
    await network.channels(found, settings)
    await network.legacy(found, settings)
    await network.port(found, settings)
    local.disk(found, settings)
    if local.database_file(found, settings):
        await servers.look(found, settings)
    return found.problems
