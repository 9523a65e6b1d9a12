"""Adds the runs of a product up, and prints the table as Markdown."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

_COLUMNS = {
    "lost": ("lost",),
    "twice, after an answer": ("twice_answered",),
    "twice, after no answer": ("twice_unanswered",),
    "twice, submitted again": ("twice_resubmitted",),
    "said sent, was not": ("sent_but_not",),
    "said failed, was sent": ("failed_but_sent",),
    "given up, and said so": ("gave_up",),
    "`unknown`": ("unknown", "unknown_delivered"),
    "waiting": ("waiting", "waiting_delivered"),
    "nothing said": ("silent",),
}


def table(results: Iterable[dict[str, Any]], *, pattern: bool = False) -> str:
    """Returns the table of products, or of patterns, with one line for each. In brackets: of these, delivered."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        if bool(result["pattern"]) is pattern:
            runs.setdefault(result["adapter"], []).append(result)
    head = ["product", "people", *_COLUMNS, "money", "load"]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    for of_product in runs.values():
        total: Counter[str] = Counter()
        for run in of_product:
            total.update(run["counts"])
        cells = [f"{of_product[0]['title']} {of_product[0]['version']}", str(total["people"])]
        cells += [_cell(*(total[name] for name in names)) for names in _COLUMNS.values()]
        cells.append("; ".join(sorted({run["money"] for run in of_product})))
        loads = [value for run in of_product for value in run["load"]]
        cells.append(f"{min(loads):g}–{max(loads):g}")
        lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines)


def remarkable(run: dict[str, Any]) -> dict[str, Any]:
    """Returns a run for a file, without the people who got one message that the product calls sent, and without their
    attempts. All others are tables whose first row has the names of the columns.
    """
    people = [
        person
        for person in run["people"]
        if (person["accepted"], person["statement"], person["deliveries"]) != (True, "sent", 1)
    ]
    numbers = {person["person"] for person in people}
    attempts = [attempt for attempt in run["attempts"] if attempt["person"] in numbers]
    return {**run, "people": _rows(people), "attempts": _rows(attempts)}


def _rows(rows: list[dict[str, Any]]) -> list[list[Any]]:
    return (
        [list(rows[0]), *([int(x) if x in (True, False) else x for x in row.values()] for row in rows)]
        if rows
        else []
    )


def _cell(number: int, delivered: int = 0) -> str:
    """Returns the number, and in brackets how many of them were delivered."""
    return f"{number + delivered} ({delivered})" if delivered else str(number)
