"""Reads price lists: the columns prefix, price, cost and channel of a table or of JSON."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from engine.file_parsers.common import Fault, Source, Unreadable
from shapes.price_lists import MOST_ROWS, PricedChannel

_NAMES: Final[dict[str, str]] = {
    "prefix": "prefix", "code": "prefix", "dialcode": "prefix", "dialprefix": "prefix", "destinationcode": "prefix",
    "price": "price", "rate": "price", "sellprice": "price", "sellingprice": "price",
    "cost": "cost", "buyprice": "cost", "buyrate": "cost",
    "channel": "channel",
}  # fmt: skip
"""The names of columns, without spaces and in lower case."""
MOST_FAULTS: Final = 100
_PREFIX = re.compile(r"\+?([1-9][0-9]{0,9})")
_AMOUNT = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,6})0*)?")
_SMALL = re.compile(r"[0-9](?:\.[0-9]{1,12})?[eE]-0?[0-9]")  # as spreadsheets and JSON have 0.00005
_DIGITS = 12  # of a price, before and after the point

Row = tuple[str, str, str, str | None]
"""Channel, prefix, price and cost; both are text of digits with a point."""


def read_prices(source: Source) -> dict[str, Any]:
    """Returns the `rows` of a price list, or its `faults`: line, sentence; at most a hundred of `bad` ones.

    Raises Unreadable for a list without the columns, without rows, or with too many.
    """
    _require(source.columns)
    rows: list[Row] = []
    lines: dict[tuple[str, str], int] = {}
    faults: list[tuple[int, str]] = []
    bad = 0
    for line, record in source.rows():
        if len(rows) >= MOST_ROWS:
            raise Unreadable(f"The list has more than {MOST_ROWS:,} rows, the most of a version. Split it.")
        try:
            if isinstance(record, Fault):
                raise ValueError(record.message.rstrip("."))  # noqa: TRY004  it is the row's fault
            row = _row(_cells(record, source.columns))
            earlier = lines.setdefault(row[:2], line)
            if earlier != line:
                raise ValueError(f"lines {earlier} and {line} both have a price for {row[1]} ({row[0]})")
        except ValueError as error:
            bad += 1
            if len(faults) < MOST_FAULTS:
                faults.append((line, str(error)))
            continue
        rows.append(row)
    if not rows and not bad:
        raise Unreadable("The list has no rows. Add rows to it.")
    return {"rows": [] if bad else rows, "faults": faults, "bad": bad}


@lru_cache(1024)
def _role(name: str) -> str | None:
    """Returns which of our columns a name stands for; None for others."""
    return _NAMES.get("".join(char for char in name.casefold() if char.isalnum()))


def _require(names: Sequence[str]) -> None:
    """Raises Unreadable if the column with the prefix, or that with the price, is missing."""
    roles = {_role(name) for name in names}
    for role in ("prefix", "price"):
        if role not in roles:
            raise Unreadable(
                f"The list has no column {role}. Its first line must name the columns: prefix, price, and"
                " optionally cost and channel."
            )


def _cells(record: Any, names: Sequence[str]) -> dict[str, str]:
    cells = record.items() if isinstance(record, dict) else zip(names, record, strict=False)
    by_role: dict[str, str] = {}
    for name, cell in cells:
        role = _role(name)
        if role is not None:
            by_role.setdefault(role, _text(cell))
    return by_role


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _row(cells: dict[str, str]) -> Row:
    """Returns a row. Raises ValueError with a sentence's beginning."""
    prefix = _PREFIX.fullmatch(cells.get("prefix", ""))
    if prefix is None:
        raise ValueError(
            f"prefix {cells.get('prefix', '')[:40]!r} is not 1 to 10 digits, the first of which is not 0"
        )
    channel = (cells.get("channel") or PricedChannel.sms.value).casefold()
    if channel not in PricedChannel.__members__:
        raise ValueError(f"channel {channel[:40]!r} is not sms or whatsapp")
    cost = cells.get("cost") or None
    return (
        channel,
        prefix[1],
        amount_of("price", cells.get("price", "")),
        None if cost is None else amount_of("cost", cost),
    )


def amount_of(name: str, text: str) -> str:
    """Returns the amount with a point. Raises ValueError."""
    if _SMALL.fullmatch(text):
        text = f"{Decimal(text):f}"
    match = _AMOUNT.fullmatch(text)
    if match is None:
        if text.startswith("-"):
            raise ValueError(f"{name} {text[:40]!r} is below zero")
        raise ValueError(f"{name} {text[:40]!r} is not a number with at most 6 decimals")
    amount = Decimal(f"{match[1]}.{match[2] or 0}")
    if len(str(int(amount))) + len((match[2] or "").rstrip("0")) > _DIGITS:
        raise ValueError(f"{name} {text[:40]!r} has more than {_DIGITS} digits")
    return f"{amount:f}"
