"""Finds what the provider of a route takes for a message, by the price list that the route has as its costs."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

from db.query import Reads
from engine.sms.price_books import PriceBook, price_books
from runtime.services import Services

_COSTS: Final = """
SELECT r.route, r.valid_from, r.list_id, l.currency FROM route_costs AS r LEFT JOIN price_lists AS l ON l.id = r.list_id
ORDER BY r.route, r.valid_from
"""
_VERSIONS: Final = """
SELECT v.list_id, v.id, v.valid_from FROM price_list_versions AS v
WHERE v.list_id IN (SELECT list_id FROM route_costs) ORDER BY v.list_id, v.valid_from, v.number
"""


class Assigned(NamedTuple):
    """A price list that a route has as its costs from a moment on; None: it has none."""

    valid_from: datetime
    list_id: UUID | None
    currency: str | None


class CostLists:
    """The price lists of all routes, as they were when it was read."""

    def __init__(self, services: Services, db: Reads) -> None:
        self._services, self._db = services, db
        self._routes: dict[str, list[Assigned]] = defaultdict(list)
        self._versions: dict[UUID, list[tuple[datetime, UUID]]] = defaultdict(list)

    async def read(self) -> "CostLists":
        """Reads which lists routes have, and which versions these have. Returns itself."""
        for row in await self._db.fetch(_COSTS):
            self._routes[row["route"]].append(Assigned(row["valid_from"], row["list_id"], row["currency"]))
        for row in await self._db.fetch(_VERSIONS):
            self._versions[row["list_id"]].append((row["valid_from"], row["id"]))
        return self

    def moments(self, begin: datetime, end: datetime) -> list[datetime]:
        """Returns the moments after `begin` and before `end` at which the costs of some route change, sorted."""
        assigned = {each.valid_from for of in self._routes.values() for each in of}
        versions = {moment for of in self._versions.values() for moment, _ in of}
        return sorted(moment for moment in assigned | versions if begin < moment < end)

    def currency(self, route: str, at: datetime) -> str | None:
        """Returns the currency of the list that a route has at a moment; None if it has none."""
        assigned = self._assigned(route, at)
        return None if assigned is None else assigned.currency

    def currency_within(self, route: str, begin: datetime, end: datetime) -> str | None:
        """Returns the currency of the first list that a route has in a time; None if it has none."""
        begun = (each.currency for each in self._routes.get(route, ()) if begin < each.valid_from < end)
        return next(filter(None, (self.currency(route, begin), *begun)), None)

    async def book(self, route: str, at: datetime) -> PriceBook | None:
        """Returns what the provider of a route takes at a moment; None if no list says that.

        Before the first version of a list that version holds: invoices come after the messages.
        """
        assigned = self._assigned(route, at)
        versions = None if assigned is None or assigned.list_id is None else self._versions[assigned.list_id]
        if not versions:
            return None
        number = bisect_right(versions, at, key=lambda version: version[0])
        return await price_books(self._services).version(versions[max(number - 1, 0)][1], self._db)

    def _assigned(self, route: str, at: datetime) -> Assigned | None:
        of: Sequence[Assigned] = self._routes.get(route, ())
        number = bisect_right(of, at, key=lambda each: each.valid_from)
        return of[number - 1] if number else None


def cost_of(book: PriceBook | None, channel: str, phone: str) -> Decimal | None:
    """Returns what a part of a message to a phone costs; None if no row says that."""
    price = None if book is None else book.find(channel, phone)
    return None if price is None else price.amount
