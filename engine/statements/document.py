"""The document of a statement, made of sums and of the balance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from core.json_text import amount_text, instant
from engine.statements.months import name_of
from engine.statements.sums import KINDS, Group, Sums, ordered

TYPE: Final = "postern.statement/1"
"""The type of documents, with the version of their form."""


class Late(NamedTuple):
    """An amount that moved in an earlier month, after the statement of that month was made."""

    month: date
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Balance:
    """The balance of an account at the begin and the end of a month, and what came late."""

    at_begin: Decimal
    at_end: Decimal
    late: Sequence[Late]


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a document in the chain of its account."""

    month: date
    number: int
    previous: bytes | None
    begun_at: datetime


def document_of(account: Any, sums: Sums, balance: Balance, position: Position) -> dict[str, Any]:
    """Returns the document. The same records make the same document, to the byte."""
    net = sum((sums.amount(kind) for kind in KINDS), Decimal())
    late = sum((each.amount for each in balance.late), Decimal())
    differences = [*_differences(balance.at_begin + net + late, balance.at_end)]
    return {
        "type": TYPE,
        "installation": str(account["installation_id"]),
        "owner": str(account["owner_id"]),
        "account": {
            "uuid": str(account["id"]),
            "name": account["name"],
            "currency": account["currency"],
        },
        "month": name_of(position.month),
        "number": position.number,
        "previous": None if position.previous is None else position.previous.hex(),
        "begunAt": instant(position.begun_at, "microseconds"),
        "state": "open" if differences else "balanced",
        "balance": {
            "opening": amount_text(balance.at_begin),
            "net": amount_text(net),
            "late": amount_text(late),
            "closing": amount_text(balance.at_end),
        },
        "totals": [_total(sums, kind) for kind in KINDS],
        "groupedBy": [*sums.grouped_by],
        "lines": [_line(sums, group) for group in ordered(sums.groups)],
        "late": [{"month": name_of(each.month), "amount": amount_text(each.amount)} for each in balance.late],
        "differences": differences,
    }


def _total(sums: Sums, kind: str) -> dict[str, Any]:
    of_kind = [values for group, values in sums.groups.items() if group.kind == kind]
    return {
        "kind": kind,
        "entries": sums.entries[kind],
        "messages": sum(values[0] for values in of_kind),
        "parts": sum(values[1] for values in of_kind),
        "amount": _amount(kind, sums.amount(kind)),
    }


def _line(sums: Sums, group: Group) -> dict[str, Any]:
    messages, parts, amount = sums.groups[group]
    project = group.project
    return {
        **group._asdict(),
        "project": None if project is None else str(project),
        "projectName": None if project is None else sums.names.get(project),
        "messages": messages,
        "parts": parts,
        "amount": _amount(group.kind, amount),
    }


def _amount(kind: str, amount: Decimal) -> str | None:
    """Returns an amount as a text; None for messages that cost nothing."""
    return None if kind == "free" else amount_text(amount)


def _differences(counted: Decimal, recorded: Decimal) -> Iterator[dict[str, str]]:
    if counted != recorded:
        yield {
            "what": "closing balance",
            "counted": amount_text(counted),
            "recorded": amount_text(recorded),
        }
