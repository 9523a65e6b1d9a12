"""What messages of projects said. A body isn't kept a million times: it is made again from the content of its time
and the recipient's variables, for a page of messages in two statements.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from db.query import Reads
from db.session import Database
from engine import texts, unsubscribe

SECONDS = 3.0
"""That the texts of one page may take; those that are not made by then are null."""

# Without the HTML where there is a text: only the text is shown, and a page may be of a hundred newsletters.
_CONTENTS = """
SELECT c.project_id, c.number,
  CASE WHEN c.content ->> 'text' IS NULL THEN c.content ELSE c.content || '{"html": null}' END AS content
FROM project_contents AS c
JOIN unnest($1::uuid[], $2::int[]) AS w (project_id, number)
  ON w.project_id = c.project_id AND w.number = c.number
"""
_RECIPIENTS = "SELECT id, name, variables FROM recipients WHERE id = ANY($1::uuid[])"


async def bodies(db: Reads | Database, rows: Sequence[Any]) -> dict[UUID, str | None]:
    """By message id; null where it was not handed over yet, and where its text can't be made again.

    `rows` have id, project_id, recipient_id, direction, channel, to, body, content and variant.
    """
    found: dict[UUID, str | None] = {row["id"]: row["body"] for row in rows}
    wanted = [row for row in rows if row["body"] is None and row["content"] is not None]
    if not wanted:
        return found
    places = sorted({(row["project_id"], row["content"]) for row in wanted})
    contents = await db.fetch(_CONTENTS, [place[0] for place in places], [place[1] for place in places])
    known = await db.fetch(_RECIPIENTS, [row["recipient_id"] for row in wanted if row["recipient_id"]])
    recipients = {row["id"]: row for row in known}
    content = {(row["project_id"], row["number"]): row["content"] for row in contents}
    # Beside the event loop: the templates are the users' own.
    return found | await asyncio.to_thread(_render, wanted, content, recipients)


def variables(channel: str, to: str, name: str | None, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a text may name: the recipient's own variables, his name and his address."""
    kind = "address" if channel in ("email", "push") else "phone"
    return {**(given or {}), "name": name or "", kind: to}


def _render(
    rows: Sequence[Any], contents: Mapping[tuple[UUID, int], Any], recipients: Mapping[UUID, Any]
) -> dict[UUID, str | None]:
    until = time.monotonic() + SECONDS
    compiled: dict[tuple[UUID, int], texts.Compiled | None] = {}
    made: dict[UUID, str | None] = {}
    for row in rows:
        place = row["project_id"], row["content"]
        if place not in compiled:
            compiled[place] = _compiled(contents.get(place))
        recipient, text = recipients.get(row["recipient_id"]), compiled[place]
        if recipient is None or text is None or time.monotonic() > until:
            continue
        named = variables(row["channel"], row["to"], recipient["name"], recipient["variables"])
        if unsubscribe.offered(contents[place]):
            named[unsubscribe.VARIABLE] = unsubscribe.EXAMPLE
        # One text that can't be made must not cost the list.
        with suppress(Exception):
            rendered = text.render(row["variant"], named)
            made[row["id"]] = rendered.body or rendered.html
    return made


def _compiled(content: Any) -> "texts.Compiled | None":
    try:
        return texts.compiled(content) if content else None
    except Exception:  # it was sent, so it was good in its time; a library may have changed since
        return None
