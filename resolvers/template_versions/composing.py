"""Composes a version as it is published: its texts with the layout and the partials of that moment."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from core.errors import BadRequest
from engine.texts import assembly
from engine.texts.choices import best_locale
from engine.texts.project_texts import TextError
from resolvers.project_content import run_task
from resolvers.templates.template_rows import require_published
from runtime.operation import Op
from shapes.messages import MessageCategory
from shapes.template_problems import MOST_PROBLEMS
from shapes.template_versions import MOST_PARTIALS

_PARTS = ("text", "html")
_USED = """
SELECT t.key, t.id, t.archived_at IS NOT NULL AS archived, t.version AS newest, v.id AS version_id, v.number,
  v.locales, v.default_locale, v.layout_key
FROM templates AS t LEFT JOIN template_versions AS v ON v.template_id = t.id AND v.number = t.version
WHERE t.owner_id = $1 AND t.key = ANY($2)
"""
_TEXTS = """
SELECT x.version_id, x.locale, x.text, x.html FROM unnest($1::uuid[], $2::text[]) AS a (version_id, locale)
JOIN template_texts AS x ON x.version_id = a.version_id AND x.locale = a.locale
"""


class Composition(NamedTuple):
    """Holds the texts of a version as they are sent, by language, and the versions that were put into them."""

    texts: Mapping[str, Mapping[str, Any]]
    parts: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]


def draft_parts(layout_key: str | None, texts: Sequence[Any]) -> list[dict[str, Any]]:
    """Returns the templates that a draft names, as far as its texts can be read."""
    keys = {} if layout_key is None else {layout_key: None}
    for text in texts:
        for part in _PARTS:
            with suppress(TextError):
                keys |= dict.fromkeys(assembly.keys_in(getattr(text, part)))
    return [{"key": key} for key in [*keys][: MOST_PARTIALS + 1]]


async def compose(op: Op, version: Any, template: Any, texts: Sequence[Any]) -> Composition:
    """Returns what the texts of a version of a template are with its layout and its partials.

    Raises BadRequest (`bad_text`, `text_too_long`, `text_too_complex`, `template_recursive`, `bad_layout`,
    `too_many_partials`, and what `require_published` raises), NotFound, RateLimited, Unavailable.
    """
    own = {partial for text in texts for partial in _keys_of(text, f"texts.{text['locale']}")}
    used = await _used(op, version.owner_id, template.key, own, version.layout_key)
    promotional = template.category == MessageCategory.promotional
    composed: dict[str, Mapping[str, Any]] = {}
    for text in texts:
        parts = await _parts(op, used, text["locale"])
        layout = parts.get(version.layout_key) if version.layout_key else None
        asked = {name: text[name] for name in ("subject", "preheader", *_PARTS)} | {
            "promotional": promotional
        }
        composed[text["locale"]] = await run_task(
            op,
            "assemble",
            {"text": {**asked, "layout": layout, "partials": parts}, "name": f"texts.{text['locale']}"},
        )
    taken = [{"uuid": str(row["id"]), "key": row["key"], "number": row["number"]} for row in used.values()]
    problems = [
        {"locale": locale, **problem} for locale, text in composed.items() for problem in text["problems"]
    ]
    return Composition(composed, taken, problems[:MOST_PROBLEMS])


def _keys_of(text: Mapping[str, Any], name: str) -> Iterator[str]:
    for part in _PARTS:
        try:
            yield from assembly.keys_in(text[part])
        except TextError as error:
            details = {"field": f"{name}.{part}", "line": error.line}
            raise BadRequest(f"{name}.{part}: {error.message}", code="bad_text", details=details) from error


async def _used(op: Op, owner: UUID, key: str, partials: set[str], layout: str | None) -> dict[str, Any]:
    """Returns the published versions of the layout and of all partials, by key."""
    rows: dict[str, Any] = {}
    if layout is not None:
        _require_other(key, {layout})
        rows = await _versions(op, owner, {layout})
        if rows[layout]["layout_key"] is not None:
            raise BadRequest(
                f"The layout {layout!r} has a layout itself; there is one level. Put its text into the layout.",
                code="bad_layout",
            )
        texts = await op.db.fetch(
            "SELECT locale, text, html FROM template_texts WHERE version_id = $1", rows[layout]["version_id"]
        )
        partials = partials.union(*(_keys_of(text, f"layout {layout}") for text in texts))
    _require_other(key, partials)
    if len(partials) > MOST_PARTIALS:
        raise BadRequest(
            f"It renders {len(partials)} partials with its layout; at most {MOST_PARTIALS} are allowed. Join some.",
            code="too_many_partials",
        )
    return rows | await _versions(op, owner, partials - rows.keys())


def _require_other(key: str, used: set[str]) -> None:
    """Raises BadRequest for a template that would be put into itself."""
    if key in used:
        raise BadRequest(
            f"The template {key!r} would be put into itself. Name another one as its layout or partial.",
            code="template_recursive",
        )


async def _versions(op: Op, owner: UUID, keys: set[str]) -> dict[str, Any]:
    rows = {row["key"]: row for row in await op.db.fetch(_USED, owner, sorted(keys))} if keys else {}
    for key in sorted(keys):
        require_published(rows.get(key), key, None)
    return rows


async def _parts(op: Op, used: Mapping[str, Any], locale: str) -> dict[str, dict[str, Any]]:
    """Returns the text and the HTML of each template that is put in, in the language that fits best."""
    asked = [
        (row["version_id"], best_locale(locale, row["locales"], row["default_locale"]))
        for row in used.values()
    ]
    rows = await op.db.fetch(_TEXTS, [id for id, _ in asked], [tag for _, tag in asked]) if asked else []
    by_version = {row["version_id"]: {part: row[part] for part in _PARTS} for row in rows}
    return {key: by_version[row["version_id"]] for key, row in used.items()}
