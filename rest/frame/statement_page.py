"""The page of a statement, to print and to file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from babel import Locale
from fastapi import Response

from core.http.html import Html, page, tag
from core.json_text import amount_text
from resolvers.statements.table import csv_of
from rest.frame import printed
from shapes.statements import SignedStatement, StatementState

_KINDS: Final = {"credit": "Credits", "charge": "Charges", "refund": "Refunds", "free": "Free of charge"}
_PARTS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "channel": lambda line: " · ".join(filter(None, (line["channel"], line["category"]))) or "–",
    "country": lambda line: _country(line["country"]),
    "route": lambda line: line["route"] or "–",
    "sender": lambda line: line["sender"] or "–",
    "project": lambda line: line["projectName"] or line["project"] or "– (single messages)",
}
"""The tables of a page, by what each adds up by, and how a line names its value. What the lines of a statement are not
grouped by has no table.
"""
_MOST: Final = 50  # rows of a table


def answer(signed: SignedStatement, format: str | None, accept: str) -> SignedStatement | Response:
    """Returns the page for `format=html`, and without a format for a browser, or the lines as CSV; else the statement
    as it is.
    """
    if format == "csv":
        name = f"statement-{signed.document['account']['uuid']}-{signed.month}.csv"
        headers = {**printed.HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
        return Response(csv_of(signed), headers=headers, media_type="text/csv; charset=utf-8")
    if printed.is_asked(format, accept):
        return Response(_html(signed), headers=printed.HEADERS, media_type="text/html")
    return signed


def _html(signed: SignedStatement) -> str:
    document = signed.document
    account = document["account"]
    title = f"Statement {document['month']}: {account['name']}"
    return page(
        title,
        tag("h1", title),
        tag("p", _verdict(signed)),
        printed.table(
            (
                ("Account", account["uuid"]),
                ("Month", f"{document['month']}, in UTC"),
                ("Added up at", printed.time_text(document["begunAt"])),
            )
        ),
        tag("h2", f"Balance, in {account['currency']}"),
        printed.numbers(_balance(document)),
        *_totals(document),
        *(
            part
            for name in _PARTS
            if name in document["groupedBy"]
            for part in _table(name, document["lines"])
        ),
        *printed.signature(
            (
                ("Number", str(signed.number)),
                ("SHA-256 of the document", signed.hash),
                ("The one before", signed.previous_hash or "none: this is the first one"),
                ("Key", signed.key_id),
            )
        ),
    )


def _country(code: str | None) -> str:
    return "–" if code is None else f"{Locale('en').territories.get(code, code)} ({code})"


def _verdict(signed: SignedStatement) -> str:
    balance = signed.document["balance"]
    if signed.state is StatementState.open:
        (difference,) = signed.document["differences"]
        return (
            f"Open: the numbers do not add up. They lead to a closing balance of {difference['counted']}, and the"
            f" account has {difference['recorded']}."
        )
    late = "" if balance["late"] == "0" else f", {balance['late']} of late entries"
    return (
        f"Balanced: {balance['opening']} at the begin, {balance['net']} in the month{late}, and {balance['closing']} at"
        " the end."
    )


def _balance(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    balance = document["balance"]
    yield "Opening balance", balance["opening"]
    for total in document["totals"]:
        if total["kind"] != "free":
            yield _KINDS[total["kind"]], total["amount"]
    for each in document["late"]:
        yield f"Late entries of {each['month']}", each["amount"]
    yield "Closing balance", balance["closing"]


def _totals(document: Mapping[str, Any]) -> Iterator[Html]:
    rows = [
        (_KINDS[total["kind"]], str(total["messages"]), str(total["parts"]))
        for total in document["totals"]
        if total["messages"]
    ]
    if rows:
        yield tag("h2", "Messages")
        yield printed.sums(("", "Messages", "Parts"), rows)


def _table(name: str, lines: Iterable[Mapping[str, Any]]) -> Iterator[Html]:
    """Yields the sums of charges, refunds and free messages by one value, the largest first. Two projects may have the
    same name.
    """
    groups = dict[tuple[str, str], list[Any]]()
    for line in lines:
        if line["kind"] != "credit":
            group = groups.setdefault((_PARTS[name](line), line[name] or ""), [0, 0, Decimal()])
            sign = -1 if line["kind"] == "refund" else 1
            group[0] += sign * line["messages"]
            group[1] += sign * line["parts"]
            group[2] += Decimal(line["amount"] or 0)
    if not groups:
        return
    ordered = sorted(groups.items(), key=lambda each: (each[1][2], -each[1][0], each[0]))
    yield tag("h2", f"By {name}")
    yield printed.sums(
        (name.capitalize(), "Messages", "Parts", "Amount"),
        [(each[0], str(sums[0]), str(sums[1]), amount_text(sums[2])) for each, sums in ordered[:_MOST]],
    )
    if len(ordered) > _MOST:
        yield tag("p", f"{len(ordered) - _MOST} more are in the CSV file.")
