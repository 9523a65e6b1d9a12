"""The installation, for administrators: the findings of `postern doctor`, the routes, and the IP allowlist."""

import asyncio
import ipaddress
import platform
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from core.errors import Unavailable
from core.http.allowlist import Allowlist, reason_against
from core.store import DOWN
from core.tasks import ignore_result
from core.version import __version__
from resolvers.system import system_routes
from runtime.installation import installation
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.system import (
    MAX_LINES,
    MAX_NETWORKS,
    AllowlistReason,
    DoctorReport,
    Finding,
    FindingSeverity,
    IpAllowlist,
    IpAllowlistLine,
    NewSystemRoute,
    SystemRoute,
    SystemRoutePatch,
)

CACHE_SECONDS = 60.0  # for which findings are cached
FRESH_SECONDS = (
    2.0  # the same for callers who want fresh ones: no caller can keep the checks running without a pause
)
MAX_FINDINGS = 200

LEFT_OUT = (
    "Whether another program uses the port: this process has it.",
    "Whether the settings of the environment and of .env can be read at the next start.",
    "Whether the embedded servers can be started: they run, or there are servers of your own.",
)
_REASONS = {reason.value for reason in AllowlistReason}  # another version may have stored another one
_ORDER = [FindingSeverity.error, FindingSeverity.warning, FindingSeverity.ok]


class Examinations:
    """Runs the checks of the doctor one at a time, and caches their findings."""

    def __init__(self, examine: Callable[[], Awaitable[Sequence[Finding]]]) -> None:
        self._examine = examine
        self._running: asyncio.Task[tuple[datetime, Sequence[Finding]]] | None = None
        self._ended = 0.0  # by time.monotonic()

    async def findings(self, seconds: float) -> tuple[datetime, Sequence[Finding]]:
        """Returns findings that are at most so old, and when their checks ended. Concurrent callers share them."""
        task = self._running
        failed = task is not None and task.done() and (task.cancelled() or task.exception() is not None)
        if task is None or failed or (task.done() and time.monotonic() - self._ended >= seconds):
            task = self._running = ignore_result(asyncio.create_task(self._run()))
        return await asyncio.shield(task)  # a caller that leaves does not end the checks of the others

    async def _run(self) -> tuple[datetime, Sequence[Finding]]:
        findings = sorted(await self._examine(), key=lambda finding: _ORDER.index(finding.severity))
        self._ended = time.monotonic()
        return datetime.now(UTC), findings[:MAX_FINDINGS]


@operation(Permission.system_read, "outside")
async def doctor(op: Op, fresh: bool = False) -> DoctorReport:
    """Returns what `postern doctor` finds about the process that answers and its servers, cached for a minute.
    Administrators only.
    """
    process = installation(op.services)
    examinations = op.services.single(Examinations, lambda: Examinations(process.examine))
    examined_at, findings = await examinations.findings(FRESH_SECONDS if fresh else CACHE_SECONDS)
    return DoctorReport(
        version=__version__,
        python=platform.python_version(),
        embedded=process.embedded,
        examined_at=examined_at,
        findings=[*findings],
        left_out=[*LEFT_OUT],
    )


@operation(Permission.system_read, "read")
async def routes(op: Op) -> Sequence[SystemRoute]:
    """Returns the routes to providers, with circuit breakers and concurrency. Administrators only.

    Those of the sandbox are among them.
    """
    await system_routes.learn(op)
    return await system_routes.listed(op)


async def _learn(op: Op, name: str, input: SystemRoutePatch) -> None:
    await system_routes.learn(op)


@operation(Permission.users_admin, "sql", before=_learn)
async def set_route(op: Op, name: str, input: SystemRoutePatch) -> SystemRoute:
    """Switches a route off, so that its messages take their next route or wait, or on again, or makes it keep its place
    whatever its receipts. Administrators only. Raises NotFound (`route_not_found`).
    """
    return await system_routes.switch(op, name, input)


async def _checked(op: Op, input: NewSystemRoute) -> Any:
    return await system_routes.checked(op, input)


@operation(Permission.users_admin, "sql", before=_checked)
async def create_route(op: Op, input: NewSystemRoute) -> SystemRoute:
    """Makes a route for SMS, which messages take if a rule of routes names it. Administrators only. Raises BadRequest
    (`bad_route`, `too_many_routes`), Conflict (`route_exists`).
    """
    return await system_routes.make(op, input, op.prepared)


@operation(Permission.users_admin, "sql")
async def delete_route(op: Op, name: str) -> None:
    """Deletes a route that an administrator has made, and that no rule names. Its name stays taken. Administrators
    only. Raises NotFound, Conflict (`route_in_use`).
    """
    await system_routes.delete(op, name)


@operation(Permission.system_read, "read")
async def ip_allowlist(op: Op) -> IpAllowlist:
    """Returns the IP allowlist in use, and whether it has your own address. Administrators only."""
    file = installation(op.services).allowlist
    claims = [value.encode("latin-1") for value in op.ctx.connection.headers.getlist("x-real-ip")]
    reason = reason_against(claims, file.current)
    return IpAllowlist(
        mode=file.mode.value,
        file=str(file.path),
        entries=file.entries,
        networks=networks(file.current, MAX_NETWORKS),
        everyone=file.current.everyone,
        loaded_at=file.loaded_at,
        error=file.error,
        your_address=", ".join(claim.decode("latin-1") for claim in claims)[:100] or None,
        your_reason=AllowlistReason(reason) if reason else None,
    )


@operation(Permission.system_read, "read")
async def ip_allowlist_lines(op: Op, address: str | None = None) -> Sequence[IpAllowlistLine]:
    """Returns the last 1,000 requests that the IP allowlist refused, or would refuse with `Enforce`; the newest first.
    Administrators only. Raises Unavailable.
    """
    process = installation(op.services)
    try:
        refusals = await process.refusals.read()
    except DOWN as error:
        raise Unavailable(
            "The recorded requests can't be read, because Redis can't be reached. Try again in a moment.",
            code="allowlist_lines_unavailable",
        ) from error
    lines = [
        IpAllowlistLine(
            at=datetime.fromtimestamp(refusal.at, UTC),
            address=refusal.address,
            method=refusal.method,
            path=refusal.path,
            reason=AllowlistReason(refusal.reason),
            blocked=refusal.blocked,
            listed=process.allowlist.current.contains(refusal.address),
        )
        for refusal in refusals
        if (address is None or refusal.address == address) and refusal.reason in _REASONS
    ]
    return lines[:MAX_LINES]


def networks(allowlist: Allowlist, most: int) -> list[str]:
    """Returns the first networks as CIDRs, IPv4 before IPv6; an address alone has no prefix length."""
    families: tuple[tuple[Any, tuple[int, ...], tuple[int, ...]], ...] = (
        (ipaddress.IPv4Address, allowlist.v4_first, allowlist.v4_last),
        (ipaddress.IPv6Address, allowlist.v6_first, allowlist.v6_last),
    )
    cidrs = (
        str(network.network_address if network.num_addresses == 1 else network)
        for address, firsts, lasts in families
        for first, last in zip(firsts, lasts, strict=True)
        for network in ipaddress.summarize_address_range(address(first), address(last))
    )
    return list(islice(cidrs, most))
