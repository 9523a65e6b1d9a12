"""The rules of routes, the routes that administrators have made, and those that are switched off, in one process.

All of it is read each second by one statement. So a change holds in every worker within two seconds, no rule names a
route that the worker does not have yet, and nothing has to notify them.
"""

import asyncio
import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import orjson
import structlog

from channels import BadDsn
from channels.port import Channel
from core.vault import Sealed
from engine.jobs import every
from engine.sending.streams import streams_of
from engine.sms.routing import Candidate, RouteTable, Rule, choose
from runtime.services import Services
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.sending")

_RULES: Final = """
SELECT COALESCE(json_agg(json_build_array(id, prefix, route, category, owner_id, priority, weight, fallback)
  ORDER BY id), '[]')::text AS rules FROM route_rules
"""
_MADE: Final = """
SELECT COALESCE(json_agg(json_build_array(id, name, encode(dsn_encrypted, 'base64')) ORDER BY id), '[]')::text AS made
FROM routes WHERE dsn_encrypted IS NOT NULL
"""
READ: Final = f"""
SELECT v.version, ARRAY(SELECT name FROM routes WHERE NOT enabled) AS off,
  CASE WHEN v.version IS DISTINCT FROM $1 THEN r.rules END AS rules,
  CASE WHEN v.version IS DISTINCT FROM $1 THEN m.made END AS made
FROM ({_RULES}) AS r, ({_MADE}) AS m, LATERAL (SELECT md5(r.rules || m.made) AS version) AS v
"""  # noqa: S608  our own statements
"""Reads what has changed since the version `$1`: `rules` and `made` are NULL if nothing has."""

DSN_CONTEXT: Final = "routes.dsn"
"""The vault's context of the DSNs of routes, before the row's id."""

NO_ROUTE: Final = "no_route"
"""The code of a message that waits since no rule names a route that may be used."""
NO_ROUTE_REASON: Final = (
    "Rules name routes for this number, but each of them is switched off or not configured. The message waits for"
    " one."
)
NO_ROUTE_SECONDS: Final = 60.0
"""Seconds until such a message of a project is looked at again."""

_SMS: Final = MessageChannel.sms.value

Order = Callable[[Any], Sequence[Channel]]
"""Gives the routes of a message in the order in which they are tried. None: it waits."""


class Routing:
    """The rules of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._version: str | None = None
        self._table = RouteTable(())
        self._refreshing = asyncio.Lock()

    async def refresh(self) -> None:
        """Reads what has changed. Raises what a database that is away raises."""
        async with self._refreshing:
            row: Any = await self._services.db.fetchrow(READ, self._version)
            if row["rules"] is not None:
                await self._change_routes(orjson.loads(row["made"]))
                self._table, self._version = RouteTable(rules_of(row["rules"])), row["version"]
            self._services.routes.off = frozenset(row["off"])

    async def load(self) -> None:
        """Reads them, if that has never been done."""
        if self._version is None:
            await self.refresh()

    async def _change_routes(self, made: Sequence[tuple[str, str, str]]) -> None:
        routes = self._services.routes
        for name in {*routes.names_made} - {name for _, name, _ in made}:
            streams_of(self._services).retire(routes.remove(name))
        for id, name, sealed in made:
            if name not in routes.names_made:
                try:
                    dsn = self._services.vault.open(base64.b64decode(sealed), f"{DSN_CONTEXT}:{id}")
                    await routes.add(name, dsn)
                except (Sealed, BadDsn) as error:
                    log.error(
                        "a route can't be used; what rules send by it waits", route=name, error=str(error)
                    )

    async def order(self, channel: str, whose: Callable[[Any], tuple[str, UUID]]) -> Order | None:
        """Returns how messages of a channel find their routes; None if there are no rules.

        `whose`: gives the category and the owner of a message.
        """
        if channel != _SMS:
            return None
        await self.load()
        if not self._table:
            return None
        table, (usable, default) = self._table, self._usable()
        return lambda message: [
            usable[candidate.route]
            for candidate in choose(message.to, *whose(message), table, usable, default)
        ]

    def candidates(self, to: str, category: str, owner_id: UUID) -> list[Candidate]:
        """Returns the routes that an SMS would be tried by, as this process knows them."""
        return choose(to, category, owner_id, self._table, *self._usable())

    def rules_for(self, to: str, category: str, owner_id: UUID) -> list[Rule]:
        """Returns the rules about an SMS, also those whose routes can't be used."""
        return self._table.rules_for(to, category, owner_id)

    def _usable(self) -> tuple[Mapping[str, Channel], Sequence[str]]:
        """Returns the routes for SMS that are not switched off by their names, and the names of the configured ones."""
        routes = self._services.routes
        usable = {name: route for name, route in routes.by_name(_SMS).items() if name not in routes.off}
        return usable, [name for name in usable if name not in routes.names_made]


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
