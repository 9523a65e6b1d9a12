"""The check of a statement that comes as a file, beside its signature: its sums, and its place behind another one."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from engine.reconciliations.forms import Form
from engine.statements.document import TYPE
from engine.statements.months import begin_of, day_of, next_month
from engine.statements.sums import KINDS

_SIGNED: Final = {
    "month": ("month",),
    "number": ("number",),
    "state": ("state",),
    "previousHash": ("previous",),
    "accountId": ("account", "uuid"),
    "currency": ("account", "currency"),
    "openingBalance": ("balance", "opening"),
    "closingBalance": ("balance", "closing"),
}
_COUNTS: Final = ("messages", "parts")
_GROUP: Final = ("channel", "category", "country", "route", "sender", "project")


def _contradictions(document: Mapping[str, Any]) -> Iterator[str]:
    """Yields what does not add up inside a document, one sentence each. Raises KeyError, TypeError, ValueError or
    ArithmeticError for one that is none.
    """
    balance, lines = document["balance"], document["lines"]
    amounts = {name: Decimal(balance[name]) for name in ("opening", "net", "late", "closing")}
    if [total["kind"] for total in document["totals"]] != [*KINDS]:
        yield "its totals are not those of the four kinds"
    for total in document["totals"]:
        of_kind = [line for line in lines if line["kind"] == total["kind"]]
        if any(total[name] != sum(line[name] for line in of_kind) for name in _COUNTS):
            yield f"the lines of {total['kind']} have other counts than their total"
        if _amount(total) != sum(map(_amount, of_kind), Decimal()):
            yield f"the lines of {total['kind']} have another amount than their total"
    keys = [(KINDS.index(line["kind"]), *(line[name] or "" for name in _GROUP)) for line in lines]
    if any(after <= before for before, after in pairwise(keys)):
        yield "the lines are not in their order"
    if amounts["net"] != sum(map(_amount, document["totals"]), Decimal()):
        yield "net is not the sum of the totals"
    if amounts["late"] != sum(map(_amount, document["late"]), Decimal()):
        yield "what came late is not the sum of its months"
    adds_up = amounts["opening"] + amounts["net"] + amounts["late"] == amounts["closing"]
    if document["state"] != ("balanced" if adds_up and not document["differences"] else "open"):
        yield f"it is called {document['state']}, and its numbers say the contrary"
    begun = datetime.fromisoformat(document["begunAt"])
    if begun.astimezone(UTC) < begin_of(next_month(day_of(document["month"]))):
        yield "it was made before the month was over"


def _amount(row: Mapping[str, Any]) -> Decimal:
    """Returns an amount. Raises ValueError for messages that cost nothing and have one, and for others without."""
    if (row["amount"] is None) != (row.get("kind") == "free"):
        raise ValueError("a line lacks an amount, or has one that it can't have")
    return Decimal(row["amount"] or 0)


def _follows(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yields what keeps a document from being the next one of its account."""
    if after["month"] <= before["month"]:
        yield f"{after['month']} is not after {before['month']}"
    if after["balance"]["opening"] != before["balance"]["closing"]:
        yield f"the opening balance of {after['month']} is not the closing balance of {before['month']}"


FORM: Final = Form(TYPE, "account", _SIGNED, _contradictions, _follows)
"""The form of statements."""
