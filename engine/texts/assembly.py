"""Puts the text of a template together: partials in the place of their `render` tags, and the layout around it.

    content of the version ──► its partials ─┐
                                             ├──► layout with the content ──► preheader ──► bounds, check
    source of the layout ────► its partials ─┘

Everything is put in as source, when a version is published. So a published text names no other template any more, and
is rendered like any text; values are filled in then, and escaped where they stand. What is put in is not searched for
tags again: there is one level, and no recursion.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from engine.texts.liquid_rules import Tag, TextError, tags
from engine.texts.project_texts import check, required
from shapes.project_settings import LONGEST_TEXT
from shapes.sending_projects import LONGEST_HTML

T = TypeVar("T")
_RENDER: Final = "render"
_KEY = re.compile(
    r"""-?\s*render\s+(?:'([A-Za-z0-9][A-Za-z0-9_-]{0,63})'|"([A-Za-z0-9][A-Za-z0-9_-]{0,63})")\s*-?"""
)
_CONTENT = re.compile(r"-?\s*content\s*-?")
_PARTS: Final[Sequence[tuple[str, int]]] = (("text", LONGEST_TEXT), ("html", LONGEST_HTML))
_HIDDEN: Final = '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">{preheader}</div>'
"""The line that inboxes show beside the subject, and that the mail itself does not show."""


class BadPart(Exception):
    """A part of a text can't be published."""

    def __init__(self, part: str, message: str, line: int | None = None, *, long: bool = False) -> None:
        super().__init__(f"{part}: {message}")
        self.part = part
        self.message = message
        self.line = line
        self.long = long


def keys_in(source: str | None) -> Iterator[str]:
    """Yields the keys of the partials that a text renders. Raises TextError."""
    if source:
        for tag in tags(source, frozenset({_RENDER})):
            if tag.name == _RENDER:
                yield _key_of(tag, source)


def assemble(text: Mapping[str, Any]) -> dict[str, Any]:
    """Returns `text` and `html` as they are sent, with the names of the variables and of those that are required.

    `text` has the parts of a version in one language; `layout`, the parts of its layout in that language, or null; and
    `partials`, those of its partials by key. Raises BadPart.
    """
    sent: dict[str, Any] = {}
    variables: set[str] = set()
    printed: list[str] = []
    for part in ("subject", "preheader"):
        if text.get(part):
            variables |= _within(part, partial(check, text[part]))
            printed.append(text[part])
    for part, most in _PARTS:
        sent[part] = source = text.get(part)
        if source is not None:
            source = _within(part, partial(_part, text, part))
            if part == "html" and text.get("preheader"):
                source = _with_preheader(source, text["preheader"])
            if len(source) > most:
                raise _too_long(part, most)
            variables |= _within(part, partial(check, source))
            printed.append(source)
            sent[part] = source
    return sent | {
        "variables": sorted(variables),
        "required": sorted(".".join(path) for path in required(*printed)),
    }


def _within(part: str, work: Callable[[], T]) -> T:
    """Returns the result of work on a part. Raises BadPart."""
    try:
        return work()
    except TextError as error:
        raise BadPart(part, error.message, error.line) from error


def _too_long(part: str, most: int) -> BadPart:
    return BadPart(
        part, f"With its layout and partials it has more than {most} characters. Shorten them.", long=True
    )


def _part(text: Mapping[str, Any], part: str) -> str:
    partials = {key: parts.get(part) for key, parts in text["partials"].items()}
    own = _with_partials(text[part], partials, part)
    layout = (text.get("layout") or {}).get(part)
    return own if layout is None else _inside(_with_partials(layout, partials, part), own, part)


def _with_partials(source: str, partials: Mapping[str, str | None], part: str) -> str:
    def text_of(tag: Tag) -> str | None:
        if tag.name != _RENDER:
            return None
        key = _key_of(tag, source)
        text = partials.get(key)
        if text is None:
            raise TextError(
                f"The partial `{key}` has no {part}. Add that to it, and publish it.", _line(tag, source)
            )
        if any(inner.name == _RENDER for inner in tags(text, frozenset({_RENDER}))):
            raise TextError(
                f"The partial `{key}` renders others itself; there is one level. Put their text into it.",
                _line(tag, source),
            )
        return text

    return _replaced(source, text_of, part)


def _inside(layout: str, content: str, part: str) -> str:
    def text_of(tag: Tag) -> str | None:
        return content if tag.name is None and _CONTENT.fullmatch(tag.inner) else None

    whole = _replaced(layout, text_of, part)
    if whole is layout:
        raise TextError(
            "The layout has no `{{ content }}`. Write it where the text belongs, and publish the layout."
        )
    return whole


def _replaced(source: str, text_of: Callable[[Tag], str | None], part: str) -> str:
    """Returns the source with other texts in the place of its tags; the source itself if no tag has one."""
    pieces: list[str] = []
    at = size = 0
    most = dict(_PARTS)[part]
    for tag in tags(source, frozenset({_RENDER})):
        text = text_of(tag)
        if text is None:
            continue
        before = source[at : tag.start]
        pieces += [before.rstrip() if tag.inner.startswith("-") else before, text]
        size += len(text)
        if size > most:  # thousands of tags could put in the same long partial
            raise _too_long(part, most)
        at = tag.end
        if tag.inner.endswith("-"):  # as Liquid's own braces take white space away
            at += len(source) - at - len(source[at:].lstrip())
    if not pieces:
        return source
    return "".join((*pieces, source[at:]))


def _with_preheader(html: str, preheader: str) -> str:
    """Returns the HTML with the preheader as its first text."""
    start = html.lower().find("<body")
    end = html.find(">", start) + 1 if start >= 0 else 0
    return f"{html[:end]}{_HIDDEN.format(preheader=preheader)}{html[end:]}"


def _key_of(tag: Tag, source: str) -> str:
    match = _KEY.fullmatch(tag.inner)
    if match is None:
        raise TextError(
            "`render` takes the key of a template alone, like `{% render 'footer' %}`. Its variables are those of this"
            " text.",
            _line(tag, source),
        )
    return match[1] or match[2]


def _line(tag: Tag, source: str) -> int:
    return source.count("\n", 0, tag.start) + 1
