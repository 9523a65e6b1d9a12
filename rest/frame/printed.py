"""Parts that the pages to print of signed documents have in common."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Query

from core.http.html import POLICY, Html, tag

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
}

HTML: Final[dict[str, Any]] = {"text/html": {"schema": {"type": "string"}}}
"""The content of a page, for OpenAPI."""

Expires = Annotated[int, Query(ge=0, le=2**53, description="part of the signed link")]
Signature = Annotated[str, Query(max_length=64, description="part of the signed link")]
MadeBy = Annotated[
    UUID | None,
    Query(alias="by", description="part of the signed link: the login or API token it was made for"),
]


def is_asked(format: str | None, accept: str) -> bool:
    """Returns whether the page is asked for: by `format=html`, or without a format by a browser."""
    return format == "html" or (format is None and accept.startswith("text/html"))


def table(rows: Iterable[tuple[str, str]]) -> Html:
    """Returns a table of names and texts."""
    return tag("table", *(tag("tr", tag("th", name), tag("td", value)) for name, value in rows))


def numbers(rows: Iterable[tuple[str, Any]]) -> Html:
    """Returns a table of names and numbers."""
    return tag(
        "table", *(tag("tr", tag("td", name), tag("td", str(value), class_="n")) for name, value in rows)
    )


def sums(names: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> Html:
    """Returns a table with a head, whose first columns are texts and whose others are numbers."""
    return tag(
        "table",
        tag("tr", *(tag("th", name, class_="n" if at >= texts else None) for at, name in enumerate(names))),
        *(
            tag("tr", *(tag("td", cell, class_="n" if at >= texts else None) for at, cell in enumerate(row)))
            for row in rows
        ),
    )


def time_text(stamp: str | None) -> str:
    """Returns a time of a document (RFC 3339 in UTC) as people read it, to the second."""
    return "–" if stamp is None else f"{stamp[:19].replace('T', ' ')} UTC"


def signature(rows: Iterable[tuple[str, str]]) -> Iterable[Html]:
    """Returns the end of a page: what is signed, and how it is checked."""
    yield tag("h2", "Signature")
    yield table(rows)
    yield tag(
        "p",
        "This page shows the signed document, and is not signed itself. Keep the answer as JSON beside it, and"
        " check it with: ",
        tag("code", "postern verify FILE"),
    )
