"""The page of a reconciliation, to print and to file."""

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import Response

from core.http.html import Html, page, tag
from rest.frame import printed
from shapes.reconciliations import ReconciliationState, SignedReconciliation

_STATES = (("skipped", "Skipped"), ("failed", "Failed"), ("unknown", "Unknown"), ("canceled", "Canceled"))


def answer(signed: SignedReconciliation, format: str | None, accept: str) -> SignedReconciliation | Response:
    """Returns the page for `format=html`, and without a format for a browser; else the reconciliation as it is."""
    if printed.is_asked(format, accept):
        return Response(_html(signed), headers=printed.HEADERS, media_type="text/html")
    return signed


def _html(signed: SignedReconciliation) -> str:
    document = signed.document
    project, counts, money = document["project"], document["counts"], document["money"]
    title = f"Reconciliation {signed.number}: {project['name']}"
    return page(
        title,
        tag("h1", title),
        tag("p", _verdict(signed)),
        printed.table(
            (
                ("Project", project["uuid"]),
                ("Channel", f"{project['channel']}, {project['category']}"),
                ("Started", printed.time_text(project["startedAt"])),
                ("Finished", printed.time_text(project["finishedAt"])),
                ("Counted from", printed.time_text(document["begunAt"])),
                ("Reports", "settled" if document["settled"] else "some are still waited for"),
            )
        ),
        *_plan(document["plan"]),
        tag("h2", "Messages"),
        printed.numbers(_counts(counts)),
        tag("h2", f"Money, in {money['currency']}"),
        printed.numbers(
            (
                ("Charged", money["charged"]),
                ("Refunded", money["refunded"]),
                ("Charged − refunded", money["net"]),
                *([("Owed by the account", money["owed"])] if money["owed"] != "0" else []),
                ("Sum of all prices", money["prices"]),
            )
        ),
        *_groups(money["groups"]),
        *_differences(document["differences"]),
        *printed.signature(
            (
                ("Lines", f"{document['lines']['count']}, one for each message"),
                ("Root of the lines", signed.root),
                ("SHA-256 of the document", signed.hash),
                ("The one before", signed.previous_hash or "none: this is the first one"),
                ("Key", signed.key_id),
            )
        ),
    )


def _verdict(signed: SignedReconciliation) -> str:
    counts = signed.document["counts"]
    if signed.state is ReconciliationState.open:
        return "Open: the numbers do not add up. The differences are below."
    parts = " + ".join(f"{counts[name]['total']} {label.lower()}" for name, label in _STATES)
    return f"Balanced: {counts['materialised']} materialised = {counts['sent']['total']} sent + {parts}."


def _counts(counts: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    sent = counts["sent"]
    yield "Materialised", counts["materialised"]
    if counts["late"]:
        yield "of them added after the plan", counts["late"]
    yield "Sent", sent["total"]
    yield "of them delivered", sent["delivered"]
    yield "of them read", sent["read"]
    yield "of them undelivered", sent["undelivered"]
    yield from _causes(sent["undeliveredCauses"])
    yield "of them without a report", sent["noReport"]
    for name, label in _STATES:
        yield label, counts[name]["total"]
        yield from _causes(counts[name]["causes"])
    for each in counts["byHook"]:
        yield f"Called {each['status']} by the owner's own hook", each["count"]


def _causes(causes: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Any]]:
    for each in causes:
        yield f"by {each['cause']}", each["count"]


def _plan(plan: Mapping[str, Any] | None) -> Iterable[Html]:
    if plan is None:
        return
    approval = plan["approval"]
    yield tag("h2", "Plan")
    yield printed.table(
        (
            ("Plan", f"{plan['number']}, made at {plan['madeAt']}"),
            ("Hash", plan["hash"]),
            ("Recipients", f"{plan['recipients']}, at most {plan['atMostRecipients']}"),
            (
                "Cost",
                "no price" if plan["atMost"] is None else f"at most {plan['atMost']} {plan['currency']}",
            ),
            ("Approved", f"at {approval['decidedAt']} by user {approval['decidedBy']}" if approval else "no"),
        )
    )


def _groups(groups: Iterable[Mapping[str, Any]]) -> Iterable[Html]:
    rows = [
        tag(
            "tr",
            tag("td", each["country"] or "–"),
            tag("td", each["route"] or "–"),
            tag("td", each["priceVersion"] or "the tariff's own"),
            tag("td", str(each["messages"]), class_="n"),
            tag("td", str(each["parts"]), class_="n"),
            tag("td", each["amount"], class_="n"),
        )
        for each in groups
    ]
    if rows:
        names = ("Country", "Route", "Price list's version", "Messages", "Parts", "Amount")
        yield tag("table", tag("tr", *(tag("th", name) for name in names)), *rows)


def _differences(differences: Iterable[Mapping[str, str]]) -> Iterable[Html]:
    rows = [
        tag(
            "tr",
            tag("td", each["what"]),
            *(tag("td", each[name], class_="n") for name in ("counted", "recorded")),
        )
        for each in differences
    ]
    if rows:
        yield tag("h2", "Differences")
        names = ("About", "Counted from the messages", "Recorded elsewhere")
        yield tag("table", tag("tr", *(tag("th", name) for name in names)), *rows)
