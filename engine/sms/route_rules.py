"""The rules of routes, the routes that administrators have made, and those that are switched off, in one process.

All of it is read each second by one statement. So a change holds in every worker within two seconds, no rule names a
route that the worker does not have yet, and nothing has to notify them.
"""

import asyncio
import base64
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import orjson
import structlog

from channels import BadDsn
from channels.port import Channel
from engine.jobs import every
from engine.sending.streams import streams_of
from engine.sms.routing import Candidate, Degraded, RouteTable, Rule, choose, is_behind
from runtime.routes import SANDBOX
from runtime.services import Services
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.sending")

_RULES: Final = """
SELECT COALESCE(json_agg(json_build_array(id, prefix, route, category, owner_id, priority, weight, fallback)
  ORDER BY id), '[]')::text AS rules FROM route_rules
"""
_MADE: Final = """
SELECT COALESCE(json_agg(json_build_array(id, channel, name, encode(dsn_encrypted, 'base64'))
  ORDER BY id), '[]')::text AS made
FROM routes WHERE dsn_encrypted IS NOT NULL
"""
READ: Final = f"""
SELECT v.version, ARRAY(SELECT name FROM routes WHERE NOT enabled) AS off,
  (SELECT json_agg(json_build_array(d.route, d.prefix, d.retry_at <= now())) FROM degraded_routes AS d
    WHERE d.ended_at IS NULL
      AND NOT EXISTS (SELECT FROM routes AS x WHERE x.name = d.route AND x.ignores_receipts))::text AS degraded,
  CASE WHEN v.version IS DISTINCT FROM $1 THEN r.rules END AS rules,
  CASE WHEN v.version IS DISTINCT FROM $1 THEN m.made END AS made
FROM ({_RULES}) AS r, ({_MADE}) AS m, LATERAL (SELECT md5(r.rules || m.made) AS version) AS v
"""  # noqa: S608  our own statements
"""Reads the changes since the version `$1`: `rules` and `made` are NULL if nothing has."""

DSN_CONTEXT: Final = "routes.dsn"
"""The vault's context of the DSNs of routes, before the row's id."""

NO_ROUTE: Final = "no_route"
"""The code of a message that waits since no rule names a route that may be used."""
NO_ROUTE_REASON: Final = (
    "Rules name routes for this number, but each of them is switched off or not configured. The message waits for"
    " one."
)
ALL_OFF_REASON: Final = "Each configured route is switched off. The message waits for one."
"""The reason of a message without a rule that would wait."""
NO_ROUTE_SECONDS: Final = 300.0
"""Seconds until such a message of a project is looked at again, unless rules or routes have changed."""

_NO_ORDERS: Final[Mapping[UUID, Sequence[Channel]]] = {}
_SMS: Final = MessageChannel.sms.value

Order = Callable[[Any], Sequence[Channel] | None]
"""Gives the routes of a message in their order: none if it waits, and None if no rule is about it."""


class Routing:
    """The rules of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._version: str | None = None
        self._table = RouteTable(())
        self._degraded: Degraded = {}
        self._refreshing = asyncio.Lock()
        self._read_at = 0.0
        self._broken: set[str] = set()  # names of routes that this process can't use; each is logged once

    async def refresh(self, *, older: float = 0.0) -> None:
        """Reads the changes, unless that was done less than `older` seconds ago.

        Raises the errors of a database that is away.
        """
        async with self._refreshing:
            if time.monotonic() - self._read_at < older:
                return
            row: Any = await self._services.db.fetchrow(READ, self._version)
            self._services.routes.off = frozenset(row["off"])
            self._degraded = degraded_of(row["degraded"])
            if row["rules"] is not None:
                complete = await self._change_routes(orjson.loads(row["made"]))
                self._table = RouteTable(rules_of(row["rules"]))
                self._version = row["version"] if complete else ""  # a failed look is tried again
            self._read_at = time.monotonic()

    async def load(self) -> None:
        """Reads them, if that has never been done."""
        if self._version is None:
            await self.refresh()

    async def _change_routes(self, made: Sequence[tuple[str, str, str, str]]) -> bool:
        """Adds and removes routes. Returns whether all of them can be used."""
        routes = self._services.routes
        for name in {*routes.names_made} - {name for _, _, name, _ in made}:
            streams_of(self._services).retire(routes.remove(name))
        missing = [entry for entry in made if entry[2] not in routes.names_made]
        routes.set_unusable({name: kind for _, kind, name, _ in missing})  # until they can be used
        return all(await asyncio.gather(*(self._add(*entry) for entry in missing)))

    async def _add(self, id: str, kind: str, name: str, sealed: str) -> bool:
        try:
            dsn = self._services.vault.open(base64.b64decode(sealed), f"{DSN_CONTEXT}:{id}")
            await self._services.routes.add(kind, name, dsn, self._services.guard)
        except Exception as error:  # one route must not stop the others
            if name not in self._broken:
                reason = str(error) if isinstance(error, BadDsn) else type(error).__name__
                log.error("a route can't be used; what goes by it waits", route=name, error=reason)
            self._broken.add(name)
            return False
        self._broken.discard(name)
        return True

    async def order(self, channel: str, whose: Callable[[Any], tuple[str, UUID]]) -> Order | None:
        """Returns how messages of a channel find their routes; None if there are no rules.

        `whose`: gives the category and the owner of a message.
        """
        await self.load()  # of other channels, too, the made routes must be known
        if channel != _SMS or not self._table:
            return None
        table, degraded, (usable, default) = self._table, self._degraded, self._usable()

        def routes_of(message: Any) -> Sequence[Channel] | None:
            chosen = choose(message.to, *whose(message), table, usable, default, degraded)
            if chosen and chosen[0].rule is None:
                return None
            return [usable[candidate.route] for candidate in chosen]

        return routes_of

    def reachable(self, channel: str) -> Sequence[Channel]:
        """Returns the routes that messages of a channel can take: the configured ones, and those that rules name."""
        routes = self._services.routes
        if channel != _SMS or not routes.names_made:
            return routes.of(channel)
        names = self._table.routes
        return [
            *routes.of(channel),
            *(route for route in routes.made(channel) if routes.name(route) in names),
        ]

    @property
    def are_real(self) -> bool:
        """Returns whether rules send SMS by a route that is not the sandbox."""
        routes = self._services.routes.by_name(_SMS)
        return any(route.name != SANDBOX for name, route in routes.items() if name in self._table.routes)

    def candidates(self, to: str, category: str, owner_id: UUID) -> list[Candidate]:
        """Returns the routes that an SMS would be tried by, as this process knows them."""
        return choose(to, category, owner_id, self._table, *self._usable(), self._degraded)

    def is_behind(self, route: str, to: str) -> bool:
        """Returns whether a route is tried after the others for a number, as it delivers nothing to its prefix."""
        return is_behind(route, to, self._table, self._degraded)

    @property
    def has_rules(self) -> bool:
        """Returns whether there are rules, as far as this process knows."""
        return bool(self._table)

    def prefix_of(self, route: str, to: str) -> str | None:
        """Returns the prefix of rules by which messages of a route to a number are counted; None: by none."""
        return self._table.prefix_of(route, to)

    def rules_for(self, to: str, category: str, owner_id: UUID) -> list[Rule]:
        """Returns the rules about an SMS, also those whose routes can't be used."""
        return self._table.rules_for(to, category, owner_id)

    def _usable(self) -> tuple[Mapping[str, Channel], Sequence[str]]:
        """Returns the routes for SMS that rules may name now, by their names, and the names of all configured ones.

        The stream of a route that is switched off passes messages on, so the configured order needs no exception.
        """
        routes = self._services.routes
        usable = {name: route for name, route in routes.by_name(_SMS).items() if name not in routes.off}
        return usable, [routes.name(route) for route in routes.of(_SMS)]


def orders_of(messages: Iterable[Any], order: Order | None) -> Mapping[UUID, Sequence[Channel]]:
    """Returns the routes of those messages that rules are about, by their ids; none if the message waits.

    One that may have gone out is asked about by its own route, so no rule is about it.
    """
    if order is None:
        return _NO_ORDERS
    return {
        message.id: routes
        for message in messages
        if not message.uncertain and (routes := order(message)) is not None
    }


def rules_of(text: str) -> list[Rule]:
    """Returns the rules that `READ` has read."""
    return [
        Rule(UUID(id), prefix, route, category, UUID(owner) if owner else None, priority, weight, fallback)
        for id, prefix, route, category, owner, priority, weight, fallback in orjson.loads(text)
    ]


def degraded_of(text: str | None) -> Degraded:
    """Returns the degraded routes that `READ` has read."""
    return {(route, prefix): on_trial for route, prefix, on_trial in orjson.loads(text or "[]")}


def routing_of(services: Services) -> Routing:
    """Returns the rules of this process."""
    return services.single(Routing, lambda: Routing(services))


# Who uses none of this pays nothing for it: each rule's route has a row, which stays.
@every(1, due="EXISTS (SELECT FROM routes)")
async def refresh_routing(services: Services) -> None:
    """Reads the rules that administrators have changed."""
    await routing_of(services).refresh()
