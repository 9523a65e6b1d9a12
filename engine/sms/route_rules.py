"""The rules of routes, and the routes that are switched off, as one worker knows them.

Both are read each second, together. So a change holds in every worker within two seconds, and nobody has to notify
them.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

import orjson

from channels.port import Channel
from engine.jobs import every
from engine.sms.routing import RouteTable, Rule, choose
from runtime.services import Services
from shapes.messages import MessageChannel

_RULES: Final = """
SELECT COALESCE(json_agg(json_build_array(id, prefix, route, category, owner_id, priority, weight, fallback)
  ORDER BY id), '[]')::text AS rules FROM route_rules
"""
READ: Final = f"""
SELECT md5(r.rules) AS version, CASE WHEN md5(r.rules) IS DISTINCT FROM $1 THEN r.rules END AS rules,
  ARRAY(SELECT name FROM routes WHERE NOT enabled) AS off
FROM ({_RULES}) AS r
"""  # noqa: S608  our own statement
"""Reads what has changed since the version `$1`: `rules` is NULL if nothing has."""

NO_ROUTE: Final = "no_route"
"""The code of a message that waits since no rule names a route that may be used."""
NO_ROUTE_REASON: Final = (
    "Rules name routes for this number, but each of them is switched off or not configured. The message waits for"
    " one."
)
NO_ROUTE_SECONDS: Final = 60.0
"""Seconds until such a message of a project is looked at again."""

Order = Callable[[Any], Sequence[Channel]]
"""Gives the routes of a message in the order in which they are tried. None: it waits."""


class Routing:
    """The rules of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._version: str | None = None
        self._table = RouteTable(())

    async def refresh(self) -> None:
        """Reads what has changed. Raises what a database that is away raises."""
        row: Any = await self._services.db.fetchrow(READ, self._version)
        if row["rules"] is not None:
            self._table, self._version = RouteTable(rules_of(row["rules"])), row["version"]
        self._services.routes.off = frozenset(row["off"])

    async def order(self, channel: str, whose: Callable[[Any], tuple[str, UUID]]) -> Order | None:
        """Returns how messages of a channel find their routes; None if there are no rules.

        `whose`: gives the category and the owner of a message.
        """
        if channel != MessageChannel.sms:
            return None
        if self._version is None:
            await self.refresh()
        if not self._table:
            return None
        table, routes = self._table, self._services.routes
        usable = {name: route for name, route in routes.by_name(channel).items() if name not in routes.off}
        return lambda message: [
            usable[candidate.route] for candidate in choose(message.to, *whose(message), table, usable)
        ]


def rules_of(text: str) -> list[Rule]:
    """Returns the rules that `READ` has read."""
    return [
        Rule(UUID(id), prefix, route, category, UUID(owner) if owner else None, priority, weight, fallback)
        for id, prefix, route, category, owner, priority, weight, fallback in orjson.loads(text)
    ]


def routing_of(services: Services) -> Routing:
    """Returns the rules of this process."""
    return services.single(Routing, lambda: Routing(services))


@every(1)
async def refresh_routing(services: Services) -> None:
    """Reads the rules that administrators have changed."""
    await routing_of(services).refresh()
