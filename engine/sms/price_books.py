"""Prices by prefix: the version of a price list that holds, and the price of a message to a number by it.

The rows of a version never change, so a process reads them once and keeps them; which version holds is asked of the
database together with the account or the project. So a new version needs no notification: it holds for every message
that is accepted after its moment.

While billing is off (`POSTERN_BILLING`), `PriceBooks.of` gives `FREE_BOOK` to all that price a message.
"""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from cachetools import LRUCache

from core.errors import Unavailable
from db.query import Reads
from db.session import Database
from runtime.group_commit import NotStarted, SharedReads
from runtime.purposes import Choices
from runtime.services import Services
from shapes.price_lists import PricedChannel

CURRENT: Final = """
SELECT l.is_strict AS price_list_strict, (
  SELECT v.id FROM price_list_versions AS v WHERE v.list_id = l.id AND v.valid_from <= now()
  ORDER BY v.valid_from DESC, v.number DESC LIMIT 1
) AS price_version_id
FROM price_lists AS l WHERE l.id = {list} AND l.currency = {currency}
"""
"""A price list, if it has the currency, and the version of it that holds now; `list` and `currency` are expressions."""

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
        self._dearest = {channel: max(of.values()) for channel, of in prices.items()}
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
        return self._dearest.get(channel, Decimal(0))

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


class FreeBook(PriceBook):
    """The prices while billing is off: a message of any channel to any number costs nothing."""

    def find(self, channel: str, phone: str) -> MessagePrice | None:
        return FREE


FREE: Final = MessagePrice(Decimal(0))
FREE_BOOK: Final = FreeBook(UUID(int=0), {})


class PriceBooks:
    """The versions that this process has read, up to a million prices."""

    def __init__(self, db: Database, choices: Choices) -> None:
        self._db, self._choices = db, choices
        self._books: LRUCache[UUID, PriceBook] = LRUCache(_MOST, getsizeof=lambda book: len(book) + 1)
        self._reading: SharedReads[UUID, PriceBook] = SharedReads(
            self._read, waiting=100_000, seconds=_LOAD_SECONDS
        )

    async def of(self, version_id: UUID | None, channel: str, reads: Reads | None = None) -> PriceBook | None:
        """Returns the prices of a version; None for None, and for a channel whose messages have no prices by prefix.
        While billing is off, it is `FREE_BOOK` for all.

        A version that was deleted has none. `reads`: the connection of a caller who has one. Raises Unavailable.
        """
        if (await self._choices.now(reads)).is_free:
            return FREE_BOOK
        if version_id is None or channel not in PricedChannel.__members__:
            return None
        if reads is not None:
            return await self.version(version_id, reads)
        if (book := self._books.get(version_id)) is not None:
            return book
        try:
            return await self._reading.of(version_id)
        except NotStarted as error:
            raise Unavailable(
                "The prices can't be read right now. Nothing was sent; try again in a moment.",
                headers={"Retry-After": "1"},
            ) from error

    async def version(self, version_id: UUID, reads: Reads) -> PriceBook:
        """Returns the prices of a version, whether billing is on or off."""
        return self._books.get(version_id) or await self._load(reads, version_id)

    async def _read(self, id: UUID) -> PriceBook:
        return await self.version(id, self._db)

    async def _load(self, reads: Reads, version_id: UUID) -> PriceBook:
        rows = await reads.fetch(_ROWS, version_id)
        texts = {row["channel"]: row["prices"] for row in rows}
        # In a thread: a large list takes a fifth of a second, in which others have their turn.
        self._books[version_id] = book = await asyncio.to_thread(_book, version_id, texts)
        return book

    async def close(self) -> None:
        """Ends the reading."""
        await self._reading.close()


def price_books(services: Services) -> PriceBooks:
    """Returns this process's price lists."""
    return services.single(PriceBooks, lambda: PriceBooks(services.db, services.choices), PriceBooks.close)


def price_of(means: Any, channel: str, to: str, book: PriceBook | None) -> MessagePrice | None:
    """Returns the price of a message to an address; None if there is no price, so that it can't be sent.

    `means`: a row with the tariff's `prices`, the account's `currency`, and `price_list_strict`. `book`: the prices of
    the list's version that holds, None without a list.
    """
    if book is not None and (price := book.find(channel, to)) is not None:
        return price
    if means["price_list_strict"] and is_listed(channel, book):
        return None
    amount = means["prices"].get(means["currency"], {}).get(channel)
    # Rounded to the ledger's precision before it is multiplied: balance and ledger must change by the same amount.
    return None if amount is None else MessagePrice(Decimal(str(amount)).quantize(_MICRO, ROUND_HALF_UP))


def is_listed(channel: str, book: PriceBook | None) -> bool:
    """Returns whether a list is about the messages of a channel: it always is about SMS."""
    return channel == PricedChannel.sms or (book is not None and book.has(channel))


def has_price(means: Any, channel: str, *, is_free: bool) -> bool:
    """Returns whether some message of the channel can have a price, which all have while billing is off (`is_free`).

    `means`: a row with the tariff's `prices`, the account's `currency`, and `price_version_id`.
    """
    if is_free:
        return True
    listed = channel == PricedChannel.sms and means["price_version_id"] is not None
    return listed or channel in means["prices"].get(means["currency"], {})


def refuses_all(means: Any, channel: str, *, is_free: bool) -> bool:
    """Returns whether a strict list refuses all messages of the channel, since none of its versions holds yet."""
    return (
        not is_free
        and channel == PricedChannel.sms
        and bool(means["price_list_strict"])
        and means["price_version_id"] is None
    )


def _book(version_id: UUID, texts: Mapping[str, str]) -> PriceBook:
    """Builds a version's prices from JSON. Equal amounts are one object, since a list has few of them."""
    prices: Mapping[str, Mapping[str, str]] = {channel: orjson.loads(text) for channel, text in texts.items()}
    amounts: dict[str, Decimal] = {}
    for of in prices.values():
        for text in of.values():
            if text not in amounts:
                amounts[text] = Decimal(text)
    return PriceBook(
        version_id,
        {channel: {prefix: amounts[text] for prefix, text in of.items()} for channel, of in prices.items()},
    )
