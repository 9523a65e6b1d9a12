"""Prices by prefix: which version of a price list holds, and what a message to a number costs by it.

The rows of a version never change, so a process reads them once and keeps them; which version holds is asked of the
database together with the account or the project. So a new version needs no notification: it holds for every message
that is accepted after its moment.
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from cachetools import LRUCache

from core.errors import Unavailable
from db.session import Database
from runtime.group_commit import GroupCommit, NotStarted
from runtime.services import Services
from shapes.price_lists import PricedChannel

CURRENT: Final = """
SELECT v.id AS price_version_id, l.is_strict AS price_list_strict
FROM price_lists AS l JOIN price_list_versions AS v ON v.list_id = l.id
WHERE l.id = {list} AND l.currency = {currency} AND v.valid_from <= now()
ORDER BY v.valid_from DESC, v.number DESC LIMIT 1
"""
"""The version of a price list that holds now, if the list has the currency; `list` and `currency` are expressions."""

_ROWS = """
SELECT channel, json_object_agg(prefix, price::text)::text AS prices FROM prices WHERE version_id = $1 GROUP BY channel
"""
_MOST = 1_000_000  # prices that a process keeps, of all versions together
_LOAD_SECONDS = 10.0
_MICRO = Decimal("0.000001")


class MessagePrice(NamedTuple):
    """The price of a message, or of each part of an SMS, and the row that gave it; None: the tariff's own price."""

    amount: Decimal
    prefix: str | None = None
    version_id: UUID | None = None


class PriceBook:
    """The prices of one version of a list."""

    def __init__(self, version_id: UUID, prices: Mapping[str, Mapping[str, Decimal]]) -> None:
        self.version_id = version_id
        self._prices = prices
        self._lengths: dict[str, Sequence[int]] = {
            channel: sorted({len(prefix) for prefix in of}, reverse=True) for channel, of in prices.items()
        }

    def __len__(self) -> int:
        return sum(map(len, self._prices.values()))

    def has(self, channel: str) -> bool:
        """Returns whether the version has any price for the channel."""
        return channel in self._prices

    def dearest(self, channel: str) -> Decimal:
        """Returns the highest price of a message by the channel, or of a part of an SMS; 0 if there is none."""
        return max(self._prices.get(channel, {}).values(), default=Decimal(0))

    def find(self, channel: str, phone: str) -> MessagePrice | None:
        """Returns the price of the longest prefix of an E.164 number; None if there is none."""
        prices = self._prices.get(channel)
        if prices is None:
            return None
        for length in self._lengths[channel]:
            amount = prices.get(phone[1 : length + 1])
            if amount is not None:
                return MessagePrice(amount, phone[1 : length + 1], self.version_id)
        return None


class PriceBooks:
    """The versions that this process has read, up to a million prices."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._books: LRUCache[UUID, PriceBook] = LRUCache(_MOST, getsizeof=lambda book: len(book) + 1)
        self._reading: GroupCommit[UUID, PriceBook] = GroupCommit(
            self._read, waiting=100_000, seconds=_LOAD_SECONDS
        )

    async def of(self, version_id: UUID | None) -> PriceBook | None:
        """Returns the prices of a version; None for None. A version that was deleted has none. Raises Unavailable."""
        if version_id is None:
            return None
        book = self._books.get(version_id)
        if book is not None:
            return book
        try:
            return await self._reading.join(version_id, version_id)
        except NotStarted as error:
            raise Unavailable(
                "The prices can't be read right now. Nothing was sent; try again in a moment.",
                headers={"Retry-After": "1"},
            ) from error

    async def _read(self, ids: Sequence[UUID]) -> Sequence[PriceBook]:
        """Reads the version that all of these requests ask for."""
        book = self._books.get(ids[0])
        if book is None:
            rows = await self._db.fetch(_ROWS, ids[0])
            book = _book(ids[0], {row["channel"]: orjson.loads(row["prices"]) for row in rows})
            self._books[ids[0]] = book
        return [book] * len(ids)

    async def close(self) -> None:
        """Ends what is being read."""
        await self._reading.close()


def price_books(services: Services) -> PriceBooks:
    """Returns this process's price lists."""
    return services.single(PriceBooks, lambda: PriceBooks(services.db), PriceBooks.close)


def price_of(means: Any, channel: str, to: str, book: PriceBook | None) -> MessagePrice | None:
    """Returns what a message to an address costs; None if there is no price, so that it can't be sent.

    `means`: a row with the tariff's `prices`, the account's `currency`, and `price_list_strict`. `book`: the prices of
    the list's version that holds, None without a list.
    """
    if book is not None and book.has(channel):
        price = book.find(channel, to)
        if price is not None:
            return price
        if means["price_list_strict"]:
            return None
    amount = means["prices"].get(means["currency"], {}).get(channel)
    # Rounded to the ledger's precision before it is multiplied: balance and ledger must change by the same amount.
    return None if amount is None else MessagePrice(Decimal(str(amount)).quantize(_MICRO, ROUND_HALF_UP))


def has_price(means: Any, channel: str) -> bool:
    """Returns whether some message of the channel can have a price. `means`: as `price_of` has it."""
    if means["price_version_id"] is not None and channel in PricedChannel.__members__:
        return True
    return channel in means["prices"].get(means["currency"], {})


def _book(version_id: UUID, prices: Mapping[str, Mapping[str, str]]) -> PriceBook:
    """Builds a version's prices. Equal amounts are one object, since a list has few of them."""
    amounts: dict[str, Decimal] = {}
    for of in prices.values():
        for text in of.values():
            if text not in amounts:
                amounts[text] = Decimal(text)
    return PriceBook(
        version_id,
        {channel: {prefix: amounts[text] for prefix, text in of.items()} for channel, of in prices.items()},
    )
