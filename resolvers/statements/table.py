"""The lines of a statement as CSV."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from engine.exports.formats import Csv
from shapes.statements import SignedStatement

_COLUMNS: Final = (
    "month", "account", "currency", "kind", "channel", "category", "country", "route", "sender", "project",
    "projectName", "messages", "parts", "amount",
)  # fmt: skip


def csv_of(signed: SignedStatement) -> bytes:
    """Returns the lines between the opening and the closing balance: the last amount is the sum of all others."""
    document, table = signed.document, Csv(_COLUMNS)
    about = (document["month"], document["account"]["uuid"], document["account"]["currency"])
    rest = len(_COLUMNS) - len(about) - 2

    def balance(kind: str, amount: str) -> Sequence[Any]:
        return (*about, kind, *[None] * rest, Decimal(amount))

    rows = [balance("opening", document["balance"]["opening"])]
    for line in document["lines"]:
        values = [line[name] for name in _COLUMNS[3:-1]]
        rows.append((*about, *values, None if line["amount"] is None else Decimal(line["amount"])))
    rows += [balance(f"late {each['month']}", each["amount"]) for each in document["late"]]
    rows.append(balance("closing", document["balance"]["closing"]))
    return table.head() + table.rows(rows)
