"""Routes to providers: those of the settings, and those for SMS that administrators make. Each can be switched off."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import asyncpg

import channels
from channels.port import Channel
from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from core.outbound.errors import UrlRefused
from core.outbound.guard import LOOKUP_SECONDS
from db.models.message_chains import NEVER
from engine.projects.due import make_due
from engine.sms.route_rules import DSN_CONTEXT, NO_ROUTE, routing_of
from runtime import breakers
from runtime.operation import Op
from runtime.routes import MESSENGER
from shapes.sending_projects import ProjectChannel
from shapes.statistics import RouteState
from shapes.system import NewSystemRoute, SystemRoute, SystemRoutePatch

MOST_MADE: Final = 100
_DRIVERS: Final = ("smpp", "twilio", "post", "sandbox")
_SETTINGS: Final = "SELECT name, enabled, ignores_receipts FROM routes WHERE NOT enabled OR ignores_receipts"
_SET: Final = """
INSERT INTO routes AS r (id, name, enabled, ignores_receipts)
VALUES ($1, $2, COALESCE($3, true), COALESCE($4, false))
ON CONFLICT (name) DO UPDATE SET enabled = COALESCE($3, r.enabled),
  ignores_receipts = COALESCE($4, r.ignores_receipts), updated_at = now()
"""
_LOCK_ALL: Final = "SELECT pg_advisory_xact_lock(hashtextextended('routes', 0))"
_COUNT: Final = "SELECT count(*) FROM routes WHERE dsn_encrypted IS NOT NULL"
_ADD: Final = """
INSERT INTO routes (id, name, channel, enabled, dsn_encrypted) VALUES ($1, $2, $3, $4, $5)
"""
_LOCK: Final = "SELECT id, channel FROM routes WHERE name = $1 AND dsn_encrypted IS NOT NULL FOR UPDATE"
_OTHER: Final = """
SELECT EXISTS (SELECT FROM routes WHERE channel = $1 AND name <> $2 AND dsn_encrypted IS NOT NULL AND enabled)
"""
_WAITING: Final = f"""
SELECT EXISTS (SELECT FROM messages WHERE channel = $1 AND state = 'queued' AND due_at < {NEVER})
  OR EXISTS (SELECT FROM claims AS c JOIN messages AS m ON m.claim_id = c.id WHERE m.channel = $1)
  OR EXISTS (SELECT FROM sending_projects WHERE channel = $1 AND status IN ('running', 'paused'))
"""  # noqa: S608  our own words
# The rule for all numbers that came with it goes with it, unless other rules name it.
_DELETE_RULE: Final = """
DELETE FROM route_rules WHERE route = $1 AND prefix = '' AND owner_id IS NULL AND category IS NULL
  AND NOT EXISTS (SELECT FROM route_rules AS r WHERE r.route = $1 AND r.id <> route_rules.id)
"""
_IN_USE: Final = "SELECT EXISTS (SELECT FROM route_rules WHERE route = $1)"
# Its breaker would stay open for good, since nothing is tried by it any more.
_DELETE: Final = """
WITH closed AS (DELETE FROM route_breakers WHERE name = $2)
UPDATE routes SET dsn_encrypted = NULL, enabled = true, updated_at = now() WHERE id = $1
"""
_LABELS: Final[Mapping[str, str]] = {
    **{name: driver.label for name, driver in channels.DRIVERS.items()},
    MESSENGER: "Messenger accounts",
}


async def learn(op: Op) -> None:
    """Reads the routes that administrators have made. Not to be called in a transaction."""
    await routing_of(op.services).refresh()


async def listed(op: Op) -> list[SystemRoute]:
    """Returns all routes that this process knows."""
    routes = op.services.routes
    statuses = {status.name: status for status in await breakers.breaker_statuses(op.reads, routes)}
    settings = {row["name"]: row for row in await op.reads.fetch(_SETTINGS)}
    return [_shape(op, channel, statuses, settings) for channel in routes]


def _shape(
    op: Op, channel: Channel, statuses: Mapping[str, breakers.BreakerStatus], settings: Mapping[str, Any]
) -> SystemRoute:
    routes = op.services.routes
    name = routes.name(channel)
    status, row = statuses.get(name), settings.get(name)
    return SystemRoute(
        name=name,
        channel=ProjectChannel(routes.kind(channel)),
        driver=channel.name,
        label=_LABELS.get(channel.name, channel.name),
        state=RouteState(status.state) if status else RouteState.closed,
        since=status.opened_at if status else None,
        probe_at=status.probe_at if status else None,
        concurrency=channel.batch,
        total_concurrency=routes.total(channel),
        enabled=row is None or row["enabled"],
        ignores_receipts=row is not None and row["ignores_receipts"],
        made=name in routes.names_made,
    )


async def switch(op: Op, name: str, input: SystemRoutePatch) -> SystemRoute:
    """Changes how a route is used. Raises NotFound."""
    if name not in {op.services.routes.name(channel) for channel in op.services.routes}:
        raise _unknown()
    await op.connection.execute(_SET, uuid7(), name, input.enabled, input.ignores_receipts)
    if input.enabled:
        await make_due(op.connection, None, NO_ROUTE)
    return next(route for route in await listed(op) if route.name == name)


async def checked(op: Op, input: NewSystemRoute) -> Channel:
    """Returns the channel of a DSN, which is not opened. Raises BadRequest (`bad_route`)."""
    if not channels.is_name(input.name):
        raise BadRequest(f"The name of a route must be {channels.NAME_RULE}.", code="bad_route")
    try:
        dsn = channels.Dsn.parse(input.dsn)
        if dsn.scheme not in _DRIVERS:
            raise channels.BadDsn(f"a route that is made here is one of {', '.join(_DRIVERS)}")
        if "name" in dsn.options:
            raise channels.BadDsn("leave out the option name: the route has a name of its own")
        channel = channels.connect("sms", input.dsn, hook_name=input.name)
    except channels.BadDsn as error:
        raise BadRequest(f"The DSN can't be used: {error}.", code="bad_route") from error
    except ValueError as error:  # of a library; its text may repeat a part of the password
        raise BadRequest(
            "The DSN can't be used: its server's name is not valid.", code="bad_route"
        ) from error
    if (target := channel.target()) is not None:
        await require_permitted(op, target.host, target.port)
    return channel


async def require_permitted(op: Op, host: str, port: int) -> None:
    """Refuses servers inside the operator's network, which only the settings and POSTERN_OUTBOUND_ALLOW may name."""
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            await op.services.guard.addresses(host, port)
    except UrlRefused as error:
        raise BadRequest(
            "The provider's server is not public. Configure it with POSTERN_CHANNEL_…, or permit its address with"
            " POSTERN_OUTBOUND_ALLOW, and start Postern again.",
            code="bad_route",
        ) from error
    except (TimeoutError, OSError, UnicodeError) as error:
        raise BadRequest(
            "The name of the provider's server can't be resolved. Check it, or try again later.",
            code="bad_route",
        ) from error


async def make(
    op: Op, input: NewSystemRoute, channel: Channel, kind: ProjectChannel = ProjectChannel.sms
) -> SystemRoute:
    """Stores a route for messages of a kind. Raises Conflict (`route_exists`), BadRequest (`too_many_routes`)."""
    db, id, routes = op.connection, uuid7(), op.services.routes
    await db.execute(_LOCK_ALL)
    if await db.fetchval(_COUNT) >= MOST_MADE:
        raise BadRequest(f"There may be at most {MOST_MADE} such routes. Delete one.", code="too_many_routes")
    if input.name in {routes.name(route) for route in routes if routes.name(route) not in routes.names_made}:
        raise _taken(input.name)
    sealed = op.services.vault.seal(input.dsn, f"{DSN_CONTEXT}:{id}")
    try:
        await db.execute(_ADD, id, input.name, kind.value, input.enabled, sealed)
    except asyncpg.UniqueViolationError as error:
        raise _taken(input.name) from error
    return SystemRoute(
        name=input.name,
        channel=kind,
        driver=channel.name,
        label=_LABELS.get(channel.name, channel.name),
        state=RouteState.closed,
        since=None,
        probe_at=None,
        concurrency=channel.batch,
        total_concurrency=channels.total_of(input.dsn),
        enabled=input.enabled,
        ignores_receipts=False,
        made=True,
    )


async def delete(op: Op, name: str) -> None:
    """Deletes a route that an administrator has made. Raises NotFound, Conflict (`route_in_use`)."""
    row: Any = await op.connection.fetchrow(_LOCK, name)
    if row is None:
        raise _unknown()
    await op.connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('route_rules', 0))")
    if row["channel"] == ProjectChannel.sms:
        await op.connection.execute(_DELETE_RULE, name)
    elif await _would_leave_to_the_sandbox(op, row["channel"], name):
        raise Conflict(
            "Messages wait for it, or are being sent by it, and without it the sandbox would take them. Set up another"
            " provider first, or stop the projects and cancel the messages.",
            code="route_in_use",
        )
    if await op.connection.fetchval(_IN_USE, name):
        raise Conflict("Rules of routes name this route. Change or delete them first.", code="route_in_use")
    await op.connection.execute(_DELETE, row["id"], name)


async def _would_leave_to_the_sandbox(op: Op, kind: str, name: str) -> bool:
    if op.services.routes.is_configured(kind) or await op.connection.fetchval(_OTHER, kind, name):
        return False
    return bool(await op.connection.fetchval(_WAITING, kind))


def _unknown() -> NotFound:
    return NotFound(
        "There is no route of this name. GET /system/routes has the names.", code="route_not_found"
    )


def _taken(name: str) -> Conflict:
    return Conflict(
        f"There is or was a route called {name}, and messages may have its name. Choose another name.",
        code="route_exists",
    )
