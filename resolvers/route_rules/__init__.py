"""Rules of routes: administrators say by which route SMS to a prefix go. engine/sms/routing.py chooses by them."""

from typing import Any, Final
from uuid import UUID

import asyncpg
from sqlalchemy import select

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import Query, columns, p, returning
from engine.projects.due import make_due
from engine.sms import degraded_routes
from engine.sms.countries import country_of_prefix
from engine.sms.route_rules import NO_ROUTE
from resolvers.route_rules import tracing
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.messages import MessageChannel
from shapes.route_rules import (
    MOST_QUALITIES,
    MOST_RULES,
    RouteQuality,
    RouteRuleInput,
    RouteTrace,
    TraceRoute,
)

_ROW: Final = models.RouteRule
_LISTS: Final = Listing(_ROW)
_BY_ID: Final = Query(_ROW, select(*columns(_ROW)).where(_ROW.id == p("id")))
_LOCK_ALL: Final = "SELECT pg_advisory_xact_lock(hashtextextended('route_rules', 0))"
_MADE: Final = "SELECT name FROM routes WHERE dsn_encrypted IS NOT NULL ORDER BY id"
_COUNT: Final = "SELECT count(*) FROM route_rules"
_USER: Final = "SELECT EXISTS (SELECT FROM users WHERE id = $1)"
_ADD: Final = f"""
INSERT INTO route_rules (id, prefix, route, category, owner_id, priority, weight, fallback)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING {returning(_ROW, "route_rules")}
"""  # noqa: S608  our own column names
_CHANGE: Final = f"""
UPDATE route_rules SET prefix = $2, route = $3, category = $4, owner_id = $5, priority = $6, weight = $7, fallback = $8,
  updated_at = now()
WHERE id = $1 RETURNING {returning(_ROW, "route_rules")}
"""  # noqa: S608  our own column names
# Workers read rules, once there are routes with a row: engine/sms/route_rules.py.
_KEEP_ROUTE: Final = """
INSERT INTO routes (id, name, enabled) VALUES ($1, $2, true) ON CONFLICT (name) DO NOTHING
"""
_DELETE: Final = "DELETE FROM route_rules WHERE id = $1 RETURNING id"


@operation(Permission.system_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.RouteRule]:
    """Lists the rules of routes, newest first, for administrators."""
    return await _LISTS.page(op.db, page_args, where)


@operation(Permission.system_read, "read")
async def get(op: Op, id: UUID) -> models.RouteRule:
    """Returns one rule of routes, for administrators. Raises NotFound."""
    row: models.RouteRule | None = await _BY_ID.first(op.db, id=id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.tariffs_read, "read")
async def trace(op: Op, input: TraceRoute) -> RouteTrace:
    """Returns how an SMS would go if it were sent now: routes, sender and price. Nothing is sent or counted. Raises
    BadRequest (`invalid_recipient`), NotFound (account), Unavailable.
    """
    return await tracing.trace(op, input)


@operation(Permission.system_read, "read")
async def quality(op: Op) -> list[RouteQuality]:
    """Returns how many SMS of each route and prefix of rules had a receipt, for administrators.

    Degraded ones come first; there are at most MOST_QUALITIES.
    """
    rows = await degraded_routes.listed(op.reads, MOST_QUALITIES)
    return [RouteQuality.model_construct(**row) for row in rows]


@operation(Permission.users_admin, "sql", idempotent=stored_model(models.RouteRule))
async def create(op: Op, input: RouteRuleInput) -> models.RouteRule:
    """Adds a rule of routes, for administrators. It holds in every worker within two seconds. Raises NotFound (route,
    user), Conflict (`route_rule_exists`), BadRequest (`too_many_rules`).
    """
    db = op.connection
    await db.execute(_LOCK_ALL)
    if await db.fetchval(_COUNT) >= MOST_RULES:
        raise BadRequest(f"There may be at most {MOST_RULES} rules. Delete one.", code="too_many_rules")
    await _check(op, input)
    row: models.RouteRule = await _stored(op, _ADD, uuid7(), input)
    return row


@operation(Permission.users_admin, "sql")
async def update(op: Op, id: UUID, input: RouteRuleInput) -> models.RouteRule:
    """Replaces a rule of routes, for administrators. It holds in every worker within two seconds. Raises NotFound
    (rule, route, user), Conflict (`route_rule_exists`).
    """
    await op.connection.execute(_LOCK_ALL)
    await _check(op, input)
    row: models.RouteRule | None = await _stored(op, _CHANGE, id, input)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.users_admin, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a rule of routes, for administrators. Raises NotFound."""
    if await op.connection.fetchval(_DELETE, id) is None:
        raise _unknown()
    await make_due(op.connection, None, NO_ROUTE)


def country(prefix: str) -> str | None:
    """Returns the country of the numbers of a prefix; None if they have none, or several."""
    return country_of_prefix(prefix)


async def _check(op: Op, input: RouteRuleInput) -> None:
    configured = op.services.routes.of(MessageChannel.sms.value)
    names = [op.services.routes.name(route) for route in configured]
    names += [row["name"] for row in await op.connection.fetch(_MADE)]
    if input.route not in names:
        raise NotFound(
            f"No route for SMS is called {input.route}. There are: {', '.join(names)}.",
            code="route_not_found",
        )
    if input.owner_id is not None and not await op.connection.fetchval(_USER, input.owner_id):
        raise NotFound("There is no user with this id. Check the id.", code="user_not_found")


async def _stored(op: Op, statement: str, id: UUID, input: RouteRuleInput) -> Any:
    category = input.category.value if input.category else None
    try:
        row = await op.connection.fetchrow(
            statement,
            id,
            input.prefix,
            input.route,
            category,
            input.owner_id,
            input.priority,
            input.weight,
            input.fallback,
        )
    except asyncpg.UniqueViolationError as error:
        raise Conflict(
            f"There is a rule already that sends the same messages by {input.route}. Change that one.",
            code="route_rule_exists",
        ) from error
    await op.connection.execute(_KEEP_ROUTE, uuid7(), input.route)
    await make_due(op.connection, None, NO_ROUTE)
    return row


def _unknown() -> NotFound:
    return NotFound("There is no rule of routes with this id. Check the id.", code="route_rule_not_found")
