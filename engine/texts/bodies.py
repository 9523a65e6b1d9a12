"""Renders the bodies of projects' messages. A body isn't stored per message: it is rendered again from the content of
its time and the recipient's variables, for a page of messages in two statements."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from core.errors import RateLimited, Unavailable
from db.query import Reads
from db.session import Database
from engine import unsubscribe
from engine.texts import project_texts, recipient_links, run_clock
from runtime.render_pool import RenderPool, TooComplex

SECONDS = 3.0
"""Seconds that the texts of one page may take; those that are not rendered by then are null."""

# Leaves the HTML out where there is a text: only the text is shown, and a page may have a hundred newsletters.
_VERSIONS = """
SELECT c.project_id, c.number, COALESCE(jsonb_set(b.content, '{languages,texts}', (
    SELECT jsonb_agg(CASE WHEN t.value ? 'text' THEN t.value - 'html' ELSE t.value END ORDER BY t.place)
    FROM jsonb_array_elements(b.content #> '{languages,texts}') WITH ORDINALITY AS t (value, place)
  )), b.content) AS content
FROM project_contents AS c
JOIN unnest($1::uuid[], $2::int[]) AS w (project_id, number)
  ON w.project_id = c.project_id AND w.number = c.number
CROSS JOIN LATERAL (
  SELECT CASE WHEN c.content ->> 'text' IS NULL THEN c.content ELSE c.content || '{"html": null}' END AS content
) AS b
"""
_LOCALES = """
SELECT c.project_id, c.number, ARRAY(
    SELECT t.value ->> 'locale' FROM jsonb_array_elements(c.content #> '{languages,texts}') WITH ORDINALITY AS t
      (value, place) ORDER BY t.place
  ) AS locales
FROM project_contents AS c
JOIN unnest($1::uuid[], $2::int[]) AS w (project_id, number)
  ON w.project_id = c.project_id AND w.number = c.number
"""
_RECIPIENTS = "SELECT id, name, variables, timezone FROM recipients WHERE id = ANY($1::uuid[])"


async def bodies(
    db: Reads | Database,
    rows: Sequence[Any],
    render_pool: RenderPool,
    asks: UUID | None,
    network: str | None = None,
) -> dict[UUID, str | None]:
    """Returns bodies by message id; null if it was not handed over yet, or can't be rendered again.

    `asks`: the user who waits, at an address in `network`. `rows` have id, project_id, recipient_id, direction,
    channel, to, body, content and variant.
    """
    by_id: dict[UUID, str | None] = {row["id"]: row["body"] for row in rows}
    to_render = [row for row in rows if row["body"] is None and row["content"] is not None]
    if not to_render:
        return by_id
    versions = sorted({(row["project_id"], row["content"]) for row in to_render})
    content_rows = await db.fetch(
        _VERSIONS, [version[0] for version in versions], [version[1] for version in versions]
    )
    recipient_rows = await db.fetch(
        _RECIPIENTS, [row["recipient_id"] for row in to_render if row["recipient_id"]]
    )
    recipients = {row["id"]: row for row in recipient_rows}
    content = {(row["project_id"], row["number"]): row["content"] for row in content_rows}
    made: dict[str, str | None] = {}
    for plain in (True, False):  # texts with Liquid logic are rendered in a process of their own
        chosen = {
            f"{p}.{n}": value for (p, n), value in content.items() if project_texts.is_plain(value) is plain
        }
        asked = [
            (
                str(row["id"]),
                key,
                row["variant"],
                _variables(row, recipients[row["recipient_id"]], chosen[key]),
            )
            for row in to_render
            if (key := f"{row['project_id']}.{row['content']}") in chosen
            and row["recipient_id"] in recipients
        ]
        arguments: dict[str, Any] = {"content_by_key": chosen, "rows": asked, "seconds": SECONDS}
        if not asked:
            continue
        if plain:
            made |= project_texts.render_bodies(**arguments)
        else:
            with suppress(TooComplex, RateLimited, Unavailable):
                made |= await render_pool.run(
                    asks, "render_bodies", arguments, seconds=SECONDS + 1, network=network
                )
    return by_id | {UUID(id): body for id, body in made.items()}


async def locales(db: Reads | Database, rows: Sequence[Any]) -> list[str | None]:
    """Returns the language of the text that each message has; null where its project has one text for all.

    `rows` have project_id, content and variant.
    """
    asked = sorted({(row["project_id"], row["content"]) for row in rows if row["variant"] is not None})
    if not asked:
        return [None] * len(rows)
    versions = await db.fetch(_LOCALES, [project for project, _ in asked], [number for _, number in asked])
    by_content = {(row["project_id"], row["number"]): row["locales"] for row in versions}
    return [_at(by_content.get((row["project_id"], row["content"]), ()), row["variant"]) for row in rows]


def _at(values: Sequence[str], index: int | None) -> str | None:
    return values[index] if index is not None and index < len(values) else None


def _variables(row: Any, recipient: Any, content: Any) -> dict[str, Any]:
    values = run_clock.of(content, row["to"], recipient["timezone"])
    values |= variables(row["channel"], row["to"], recipient["name"], recipient["variables"])
    if unsubscribe.offered(content):
        values |= recipient_links.HIDDEN
    return values


def variables(channel: str, to: str, name: str | None, own: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the variables that a text may name: the recipient's own variables, name and address.

    A recipient without a name may have a variable of that name.
    """
    kind = "address" if channel in ("email", "push") else "phone"
    values = {**(own or {}), kind: to}
    values["name"] = name or values.get("name") or ""
    return values
