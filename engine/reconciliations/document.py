"""The document of a reconciliation, made of sums and of what the database records beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from core.json_text import amount_text, instant
from engine.reconciliations.merkle import CHUNK
from engine.reconciliations.records import Recorded
from engine.reconciliations.sums import WAITING, Sums

TYPE: Final = "postern.reconciliation/1"
"""The type of documents, with the version of their form."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a document, which stand beside it."""

    count: int
    persons: int
    root: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a document in the chain of its project."""

    kind: str
    number: int
    previous: bytes | None
    begun_at: datetime


def document_of(recorded: Recorded, sums: Sums, lines: Lines, position: Position) -> dict[str, Any]:
    """Returns the document. The same records make the same document, to the byte."""
    project, counts = recorded.project, sums.counts()
    differences = [*_differences(recorded, sums, lines)]
    # What was reported as failed may be reported as delivered after all.
    reports = counts["sent"]["noReport"] + counts["sent"]["undelivered"] + counts["unknown"]["total"]
    return {
        "type": TYPE,
        "installation": str(project["installation_id"]),
        "owner": str(project["owner_id"]),
        "project": {
            "uuid": str(project["id"]),
            "name": project["name"],
            "channel": project["channel"],
            "category": project["category"],
            "startedAt": _time(project["started_at"]),
            "finishedAt": _time(project["finished_at"]),
        },
        "number": position.number,
        "kind": position.kind,
        "previous": None if position.previous is None else position.previous.hex(),
        "begunAt": _time(position.begun_at),
        "state": "open" if differences else "balanced",
        "settled": position.kind == "settled" or not reports,
        "plan": recorded.plan.document if recorded.plan else None,
        "recipients": {"missing": recorded.missing, "addedSince": recorded.added_since},
        "counts": counts,
        "money": {
            "currency": project["currency"],
            "charged": amount_text(recorded.charged),
            "refunded": amount_text(recorded.refunded),
            "net": amount_text(recorded.charged - recorded.refunded),
            "owed": amount_text(recorded.owed),
            "prices": amount_text(sums.prices),
            "groups": sums.money(),
        },
        "differences": differences,
        "lines": {
            "count": lines.count,
            "persons": lines.persons,
            "root": lines.root.hex(),
            "hash": "SHA-256",
            "chunk": CHUNK,
        },
    }


def _differences(recorded: Recorded, sums: Sums, lines: Lines) -> Iterator[dict[str, str]]:
    """Yields where the records say something else than the counters, the ledger or the audience."""
    if lines.persons != sums.lines:
        yield _difference("persons", lines.persons, sums.lines)
    if recorded.missing:
        yield _difference("recipients without a message", 0, recorded.missing)
    for state in WAITING:
        if sums.states[state]:
            yield _difference(f"still {state}", sums.states[state], 0)
    for name, stored in recorded.counters.items():
        counted = sums.lines if name == "total" else sums.statuses[name]
        if counted != stored:
            yield _difference(f"counter {name}", counted, stored)
    for code in sorted({*sums.failures, *recorded.failures}):
        if sums.failures[code] != recorded.failures.get(code, 0):
            yield _difference(f"counter of {code}", sums.failures[code], recorded.failures.get(code, 0))
    net = recorded.charged - recorded.refunded
    if sums.prices != net + recorded.owed:
        yield _difference("money", amount_text(sums.prices), amount_text(net + recorded.owed))


def _difference(what: str, counted: object, stored: object) -> dict[str, str]:
    return {"what": what, "counted": str(counted), "recorded": str(stored)}


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else instant(moment, "microseconds")
