"""Traffic by country, route, sender and owner, and the costs of routes. engine/costs/ counts the traffic."""

from datetime import timedelta
from functools import cache
from typing import Any, Final

from core.errors import BadRequest, NotFound
from engine.costs.traffic import first_open, hour_of, make_due
from resolvers.price_lists import unknown as unknown_list
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.costs import (
    LONGEST_DAYS,
    MOST_ROUTE_COSTS,
    RouteCost,
    RouteCostInput,
    TrafficGroup,
    TrafficInput,
    TrafficPage,
    TrafficRow,
)
from shapes.page import MAX_PAGE
from shapes.price_lists import PricedChannel

_DEFAULT: Final = timedelta(days=30)
_GROUPS: Final = {group: "owner_id" if group is TrafficGroup.owner else group.value for group in TrafficGroup}
_FIELDS: Final = {
    group: "owner_uuid" if group is TrafficGroup.owner else group.value for group in TrafficGroup
}
_TRAFFIC: Final = """
WITH grouped AS MATERIALIZED (
  SELECT {selected}, NULLIF(currency, '') AS currency, {cost_currency} AS cost_currency,
    sum(messages)::int8 AS messages, sum(parts)::int8 AS parts, sum(delivered)::int8 AS delivered,
    sum(charged) AS charged, sum(cost) AS cost, sum(without_cost)::int8 AS without_cost
  FROM traffic WHERE hour >= $1 AND hour < $2 AND ($3::text IS NULL OR channel = $3)
    AND ($4::text IS NULL OR country = $4) AND ($5::text IS NULL OR route = $5) AND ($6::text IS NULL OR sender = $6)
    AND ($7::uuid IS NULL OR owner_id = $7) AND ($8::uuid IS NULL OR owner_id = $8)
  GROUP BY {columns}
)
SELECT t.total, (SELECT counted_until FROM traffic_progress) AS counted_until, g.*
FROM (SELECT count(*) AS total FROM grouped) AS t
LEFT JOIN (SELECT * FROM grouped ORDER BY messages DESC, {order} LIMIT $9 OFFSET $10) AS g ON true
"""
_ALL: Final = """
SELECT route, list_id, valid_from, created_by, created_at FROM route_costs ORDER BY route, valid_from DESC
"""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('route_costs', 0))"
_MANY: Final = "SELECT count(*) FROM route_costs WHERE (route, valid_from) <> ($1, $2)"
_LIST: Final = "SELECT id FROM price_lists WHERE id = $1 FOR KEY SHARE"
_IS_IN_USE: Final = """
SELECT EXISTS (SELECT FROM routes WHERE name = $1) OR EXISTS (SELECT FROM route_costs WHERE route = $1)
  OR EXISTS (SELECT FROM traffic WHERE route = $1)
"""
_SET: Final = """
INSERT INTO route_costs AS c (route, valid_from, list_id, created_by) VALUES ($1, $2, $3, $4)
ON CONFLICT (route, valid_from) DO UPDATE SET list_id = EXCLUDED.list_id, created_by = EXCLUDED.created_by
RETURNING route, list_id, valid_from, created_by, created_at
"""


@operation(Permission.statistics_read, "read")
async def traffic(op: Op, query: TrafficInput) -> TrafficPage:
    """Counts your outbound messages by country, route, sender or channel: messages, parts, what was delivered and
    charged. Administrators get those of all users, and the costs and margins. Raises BadRequest (`bad_period`).
    """
    until = query.date_to or op.services.db.now()
    since = query.date_from or until - _DEFAULT
    if not since <= until <= since + timedelta(days=LONGEST_DAYS):
        raise BadRequest(
            f"dateTo must be after dateFrom, and at most {LONGEST_DAYS} days later.", code="bad_period"
        )
    if query.page > MAX_PAGE // 2:
        raise BadRequest("There are not so many pages. Ask for an earlier one.", code="bad_page")
    rows = await op.db.fetch(
        _sql(tuple(query.group_by), op.viewer.admin),
        hour_of(since),
        until,
        None if query.channel is None else query.channel.value,
        query.country,
        query.route,
        query.sender,
        query.owner_uuid,
        None if op.viewer.admin else op.viewer.id,
        query.limit,
        (query.page - 1) * query.limit,
    )
    return TrafficPage.model_construct(
        items=[_row(row, op.viewer.admin) for row in rows if row["messages"] is not None],
        page=query.page,
        limit=query.limit,
        total=rows[0]["total"],
        counted_until=rows[0]["counted_until"],
    )


@operation(Permission.system_read, "read")
async def routes(op: Op) -> list[RouteCost]:
    """Lists the price lists that routes have as their costs, by route, newest first, for administrators."""
    return [RouteCost.model_construct(**row) for row in await op.db.fetch(_ALL)]


@operation(Permission.users_admin, "sql")
async def set_route(op: Op, route: str, input: RouteCostInput) -> RouteCost:
    """Says by which price list the provider of a route takes its money, for administrators. Traffic from that moment on
    is counted anew, unless its hours are final. Raises NotFound (route, list), BadRequest (`bad_period`,
    `too_many_route_costs`).
    """
    db, now = op.connection, op.services.db.now()
    since = input.valid_from or now
    if since < now - timedelta(days=LONGEST_DAYS):
        raise BadRequest(f"The time must be at most {LONGEST_DAYS} days ago.", code="bad_period")
    await db.execute(_LOCK)
    if input.list_id is not None and await db.fetchval(_LIST, input.list_id) is None:
        raise unknown_list()
    route = await label_of(op, route)
    if await db.fetchval(_MANY, route, since) >= MOST_ROUTE_COSTS:
        raise BadRequest(
            f"There may be at most {MOST_ROUTE_COSTS} rows of costs. Set one of an earlier moment instead.",
            code="too_many_route_costs",
        )
    row: Any = await db.fetchrow(_SET, route, since, input.list_id, op.viewer.id)
    if since < now:
        await make_due(db, max(since, first_open(op.services.settings, now)), now)
    return RouteCost.model_construct(**row)


async def label_of(op: Op, route: str) -> str:
    """Returns the name that messages have of a route, which rules may call by another. Raises NotFound."""
    routes = op.services.routes
    labels = {
        routes.name(each): routes.label(each)
        for channel in PricedChannel
        for each in routes.of(channel.value)
    }
    if route in labels.values() or await op.connection.fetchval(_IS_IN_USE, route):
        return route
    if route in labels:
        return labels[route]
    names = sorted({*labels, *labels.values()})
    raise NotFound(
        f"No route is called {route[:64]}, and no message went by such a one. There are: {', '.join(names)}.",
        code="route_not_found",
    )


@cache
def _sql(groups: tuple[TrafficGroup, ...], with_costs: bool) -> str:
    """Returns the statement that groups by these. Without costs their currency makes no rows."""
    columns = [_GROUPS[group] for group in groups]
    selected = [
        f"{_selected(group) if group in groups else 'NULL'} AS {_FIELDS[group]}" for group in TrafficGroup
    ]
    order = [*(_FIELDS[group] for group in groups), "currency", "cost_currency"]
    return _TRAFFIC.format(
        selected=", ".join(selected),
        cost_currency="NULLIF(cost_currency, '')" if with_costs else "NULL::text",
        columns=", ".join([*columns, "traffic.currency", *(["traffic.cost_currency"] if with_costs else [])]),
        order=", ".join(order),
    )


def _selected(group: TrafficGroup) -> str:
    column = _GROUPS[group]
    return column if group is TrafficGroup.owner else f"NULLIF({column}, '')"


def _row(row: Any, with_costs: bool) -> TrafficRow:
    values = {name: row[name] for name in TrafficRow.model_fields if name != "margin"}
    if not with_costs:
        values |= {"cost_currency": None, "cost": None, "without_cost": None}
    compared = with_costs and row["currency"] == row["cost_currency"] and not row["without_cost"]
    return TrafficRow.model_construct(**values, margin=row["charged"] - row["cost"] if compared else None)
