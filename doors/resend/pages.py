"""Lists as Resend shows them: `limit`, and `after` or `before` with the id of a row."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from starlette.datastructures import QueryParams

from db.lists import CursorPage, PageArgs
from db.lists.cursor import write_cursor
from doors.resend.errors import Refused, invalid

MOST: Final = 100
_DEFAULT: Final = 20
_TAKEN: Final = frozenset({"limit", "after", "before"})


def asked(query: QueryParams, name: str) -> PageArgs:
    """Returns the page that a request asks for, of the list with this name. Raises Refused."""
    if unknown := query.keys() - _TAKEN:
        raise invalid(f"{min(unknown)[:100]}: this list has no such filter here.", "invalid_parameter")
    text = query.get("limit", str(_DEFAULT))
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST):
        raise invalid(f"limit must be a number from 1 to {MOST}.")
    limit, after, before = int(text), query.get("after"), query.get("before")
    if after is not None and before is not None:
        raise invalid("after and before exclude each other. Send one of them.")
    if before is not None:
        return PageArgs(last=limit, before=_cursor(name, before))
    return PageArgs(first=limit, after=None if after is None else _cursor(name, after))


def listed(
    asked: PageArgs, page: CursorPage[Any], as_type: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """Returns a page as Resend's list."""
    more = page.has_previous_page if asked.backwards else page.has_next_page
    return {"object": "list", "has_more": more, "data": [as_type(row) for row in page.nodes]}


def uuid_of(text: str, what: str) -> UUID:
    """Returns the id that a path names. Raises Refused (404) for a text that is no id: it names nothing."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Refused(
            404, "not_found", f"There is no {what} with this id among yours. Check the id."
        ) from error


def time(at: datetime) -> str:
    """Returns a time in ISO 8601, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cursor(name: str, id: str) -> str:
    try:
        return write_cursor(name, [UUID(id)])
    except ValueError as error:
        raise invalid("after and before must be the id of an entry of the list.") from error
