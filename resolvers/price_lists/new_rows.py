"""The prices of a new version, from a file or from the request itself."""

from collections.abc import Sequence
from typing import TypeAlias

from core.errors import BadRequest, Unprocessable
from core.file_store import gone
from engine import files, imports
from runtime.operation import Op
from shapes.price_lists import NewPrice, NewPriceListVersion

PriceRecord: TypeAlias = tuple[str, str, str, str | None]
"""Channel, prefix, price and cost."""


async def new_rows(op: Op, input: NewPriceListVersion) -> Sequence[PriceRecord]:
    """Returns the prices, read before the transaction begins.

    Raises BadRequest (`bad_price_list`), NotFound (file), Unprocessable (`unreadable_list`), RateLimited, Unavailable.
    """
    if input.prices is not None:
        return _of_request(input.prices)
    assert input.file_uuid is not None
    if await files.owned(op.db, op.viewer.id, input.file_uuid) is None:
        raise gone()
    try:
        caller = (op.viewer.id, op.ctx.client_network)
        read = await imports.prices(op.services, caller, input.file_uuid)
    except imports.Unreadable as error:
        raise Unprocessable(str(error), code="unreadable_list") from error
    if read["bad"]:
        raise _bad([f"line {line}: {text}" for line, text in read["faults"]], read["bad"])
    return [tuple(row) for row in read["rows"]]


def _of_request(prices: Sequence[NewPrice]) -> Sequence[PriceRecord]:
    first: dict[tuple[str, str], int] = {}
    faults = []
    for number, price in enumerate(prices, 1):
        key = (price.channel.value, price.prefix.removeprefix("+"))
        earlier = first.setdefault(key, number)
        if earlier != number:
            faults.append(f"rows {earlier} and {number} both have a price for {key[1]} ({key[0]})")
    if faults:
        raise _bad(faults[:100], len(faults))
    return [
        (channel, prefix, str(price.price), None if price.cost is None else str(price.cost))
        for (channel, prefix), price in zip(first, prices, strict=True)
    ]


def _bad(faults: Sequence[str], count: int) -> BadRequest:
    return BadRequest(
        f"The price list has {count} bad {'row' if count == 1 else 'rows'}, and nothing of it was stored. Correct"
        f" them: {'; '.join(faults[:3])}{' …' if count > 3 else ''}.",
        code="bad_price_list",
        details={"rows": list(faults), "count": count},
    )
