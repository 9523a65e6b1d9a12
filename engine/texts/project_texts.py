"""The texts of a project: Liquid, checked when they are saved, rendered for each recipient.

Most texts have only `{{ name }}`. They are split once and joined for each recipient, which is several times faster than
Liquid and gives the same result (a property test checks that).
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

import orjson
from liquid import escape
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.stringify import to_liquid_string

from engine.texts import plain_part
from engine.texts.choices import Choice, texts_of
from engine.texts.liquid_rules import (
    HTML,
    MAX_OUTPUT,
    MAX_SECONDS,
    PLAIN,
    TextError,
    expressions,
    nodes,
    parse,
    paths,
    run,
)

__all__ = ["Compiled", "MissingVariable", "Rendered", "TextError", "check", "compiled"]

Variables = Mapping[str, Any]
Part = Callable[[Variables], str]

_PARTS = ("subject", "html", "text")
_SHORT = 200_000  # characters of a plain text
_FEW = 1001  # literals and names of a plain text
_NAME = 100  # characters of a name in a plain text
_PLACEHOLDER = re.compile(r"\{\{[ \t]*([^\W\d]\w*)[ \t]*\}\}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_MARKUP = re.compile(r"[&<>\"']")
_KEYWORDS = frozenset(
    [
        "true",
        "false",
        "nil",
        "null",
        "empty",
        "blank",
        "and",
        "or",
        "contains",
        "not",
        "in",
        "offset",
        "limit",
        "reversed",
        "cols",
        "continue",
        "with",
        "for",
        "as",
        "if",
        "else",
        "required",
    ]
)


class MissingVariable(Exception):
    """The recipient lacks a variable, and the project skips such recipients."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The variable {name} is missing.")
        self.name = name


@dataclass(slots=True)
class Rendered:
    """The text for one recipient. It is shared between recipients with the same text: do not change it."""

    subject: str | None
    body: str  # "" when there is only a template, or HTML without words
    html: str | None
    params: tuple[str, ...] = ()  # parameters of a WhatsApp template, in its order


def plain_names(source: str | None) -> set[str] | None:
    """Returns the names in a text that has `{{ name }}` and no other Liquid: no program, so that it may be read and
    filled in anywhere. None if it has more, or is so long that reading it is work.
    """
    if not source or ("{{" not in source and "{%" not in source):
        return set()
    if len(source) > _SHORT:
        return None
    pieces = _split(source)
    if pieces is None or len(pieces) > _FEW or any(len(name) > _NAME for name in pieces[1::2]):
        return None
    return set(pieces[1::2])


def is_plain(content: Mapping[str, Any]) -> bool:
    """Returns whether a content may be rendered in any process: no part of it has Liquid logic, and its text part is
    there.
    """
    return not plain_part.lacks_text(content) and has_no_logic(content)


def has_no_logic(content: Mapping[str, Any]) -> bool:
    """Returns whether no part of a project's content has Liquid logic."""
    return all(plain_names(source) is not None for source in sources(content))


def sources(content: Mapping[str, Any]) -> Iterator[str]:
    """Yields every text of a project's content."""
    if languages := content.get("languages"):
        for text in languages["texts"]:
            yield from (text[name] for name in _PARTS if text.get(name))
    else:
        yield from (content[name] for name in _PARTS if content.get(name))
    yield from (variant["text"] for variant in content.get("variants") or ())
    yield from (content.get("template") or {}).get("params") or ()


def check(source: str) -> set[str]:
    """Returns the names of the variables that a text uses, without those it assigns itself.

    Raises TextError, also for endless texts. A text that needs values (a division, say) is not refused here for
    lacking them.
    """
    template = parse(source)
    try:
        run(template, {}, 0.1)
    except TextError as error:
        if error.limit:
            raise
    return set(template.global_variables(include_partials=False))


class Compiled:
    """The content of a project, compiled for many recipients."""

    __slots__ = ("_choice", "_params", "_required", "_same", "_skip", "_texts")

    def __init__(self, content: Mapping[str, Any], seconds: float = MAX_SECONDS) -> None:
        """`seconds`: of the clock, that the rendering of each part may take."""
        texts = texts_of(content)
        params = (content.get("template") or {}).get("params") or ()
        self._choice = Choice(content)
        parts: dict[tuple[str, bool], str | Part] = {}  # variants share subject and HTML

        def part(source: str | None, *, html: bool = False) -> str | Part | None:
            if source is None:
                return None
            if (source, html) not in parts:
                parts[source, html] = _part(source, html=html, seconds=seconds)
            return parts[source, html]

        self._texts = [
            (part(text.get("text") or ""), part(text.get("subject")), part(text.get("html"), html=True))
            for text in texts
        ]
        self._params = tuple(_part(param) for param in params)
        self._required = [
            required(text.get("text"), text.get("subject"), text.get("html"), *params) for text in texts
        ]
        self._skip = content.get("on_missing_variable") == "skip"
        # A text without variables is rendered once for all.
        self._same: list[Rendered | None] = [None] * len(texts)
        for at, own in enumerate(self._texts):
            if all(part is None or isinstance(part, str) for part in (*own, *self._params)):
                self._same[at] = self._render(at, {})

    def pick(self, message_id: UUID, variables: Variables | None) -> int | None:
        """Returns which text this message has, always the same one: a variant by weight, or the recipient's language;
        None when there is one alone. `variables`: those of the recipient.
        """
        return self._choice.pick(message_id, variables)

    def render(self, variant: int | None, variables: Variables) -> Rendered:
        """Renders the text.

        Raises MissingVariable, TextError. A variant that does not exist any more is the first one.
        """
        at = self._index(variant)
        return self._same[at] or self._render(at, variables)

    def missing(self, variant: int | None, variables: Variables) -> list[str]:
        """Returns the empty variables that the text prints without a `default` and without testing them."""
        paths = self._required[self._index(variant)]
        return [".".join(path) for path in paths if _empty(path, variables)]

    def _index(self, variant: int | None) -> int:
        return variant if variant is not None and variant < len(self._texts) else 0

    def _render(self, at: int, variables: Variables) -> Rendered:
        if self._skip:
            for path in self._required[at]:
                if _empty(path, variables):
                    raise MissingVariable(".".join(path))
        (body, subject, html), params = self._texts[at], self._params
        assert body is not None
        if subject is not None:
            subject = subject if isinstance(subject, str) else subject(variables)
            if not subject.isprintable():
                subject = _CONTROLS.sub(" ", subject).strip()
        return Rendered(
            subject,
            body if isinstance(body, str) else body(variables),
            html if html is None or isinstance(html, str) else html(variables),
            tuple([param if isinstance(param, str) else param(variables) for param in params])
            if params
            else (),
        )


def compiled(content: Mapping[str, Any]) -> Compiled:
    """Returns the compiled content, cached by its value. Raises TextError."""
    fields = {name: content.get(name) for name in (*_PARTS, "variants", "languages", "template")}
    fields["skip"] = content.get("on_missing_variable") == "skip"
    return _compiled(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS))


@lru_cache(64)
def _compiled(key: bytes) -> Compiled:
    content = orjson.loads(key)
    content["on_missing_variable"] = "skip" if content.pop("skip") else "empty"
    return Compiled(content)


def _part(source: str, *, html: bool = False, seconds: float = MAX_SECONDS) -> str | Part:
    """Returns a constant, or the renderer of a text. Raises TextError."""
    if "{{" not in source and "{%" not in source:
        return source
    plain = _plain(source, html)
    if plain is not None:
        return plain
    template = parse(source, HTML if html else PLAIN)
    return lambda variables: run(template, variables, seconds)


def _split(source: str) -> list[str] | None:
    """Returns literals and names alternately, or None if the text needs Liquid."""
    pieces = _PLACEHOLDER.split(source)
    literals, names = pieces[0::2], pieces[1::2]
    if any("{{" in piece or "{%" in piece for piece in literals):
        return None
    if any(piece.endswith("{") for piece in literals[:-1]) or not _KEYWORDS.isdisjoint(names):
        return None
    return pieces


def _plain(source: str, html: bool) -> Part | None:
    pieces = _split(source)
    if pieces is None or len(pieces) > 4000:
        return None
    slots = [(at, pieces[at]) for at in range(1, len(pieces), 2)]
    many = len(slots) > 10

    def fill(variables: Variables) -> str:
        parts = pieces.copy()
        for at, name in slots:
            value = variables.get(name)
            if value.__class__ is not str:
                value = to_liquid_string(value, html)
                if html:
                    value = str(value)
            elif html and not value.isalnum() and _MARKUP.search(value):
                value = str(escape(value))
            parts[at] = value
        if many and sum(map(len, parts)) > MAX_OUTPUT:
            raise _too_long()
        text = "".join(parts)
        if len(text) > MAX_OUTPUT:
            raise _too_long()
        return text

    return fill


def _too_long() -> TextError:
    return TextError(
        f"This text is too complex: its output is longer than {MAX_OUTPUT} characters. Simplify it.",
        limit=True,
    )


def required(*sources: str | None) -> tuple[tuple[str, ...], ...]:
    """Returns the variables that the texts print without a `default` and without testing them in an `if` or a loop."""
    names: dict[tuple[str, ...], None] = {}
    for source in sources:
        if source and ("{{" in source or "{%" in source):
            names.update(dict.fromkeys(_printed(source)))
    return tuple(names)


def _printed(source: str) -> Iterator[tuple[str, ...]]:
    pieces = _split(source)
    if pieces is not None:
        yield from ((name,) for name in pieces[1::2])
        return
    template = parse(source)
    own = {str(name) for node in nodes(template) for name in (*node.template_scope(), *node.block_scope())}
    printed: list[tuple[str, ...]] = []
    asked: set[str] = set()
    for expression in expressions(template):
        if not isinstance(expression, FilteredExpression):
            asked.update(_variable_path(path)[0] for path in paths(expression))
        elif not any(applied.name == "default" for applied in expression.filters or ()):
            printed.extend(_variable_path(path) for path in paths(expression))
    yield from (path for path in printed if path[0] not in own and path[0] not in asked)


def _variable_path(path: Path) -> tuple[str, ...]:
    """Returns the path `user.name` unchanged; of `users[0]` and `users[index]`, the part before the brackets."""
    names = [str(path.head())]
    for segment in path.path[1:]:
        if not isinstance(segment, str):
            break
        names.append(segment)
    return tuple(names)


def lacks(name: str, variables: Variables) -> bool:
    """Returns whether a variable, such as `order.number`, has no value or an empty one."""
    return _empty(tuple(name.split(".")), variables)


def _empty(path: tuple[str, ...], variables: Variables) -> bool:
    value: Any = variables.get(path[0])
    for name in path[1:]:
        if name in ("size", "first", "last") and not isinstance(value, dict):
            break
        value = value.get(name) if isinstance(value, dict) else None
    if value.__class__ is str:
        return not value or value.isspace()
    return value is None or value in ([], {})


def render_bodies(
    content_by_key: Mapping[str, Any],
    rows: Sequence[tuple[str, str, int | None, Mapping[str, Any]]],
    seconds: float,
) -> dict[str, str | None]:
    """Returns the bodies of messages by id, without those that fail or for which no time is left.

    `rows`: id, key of the content, variant, variables.
    """
    until = time.process_time() + seconds
    made: dict[str, str | None] = {}
    for id, key, variant, variables in rows:
        if time.process_time() > until:
            break
        try:
            rendered = compiled(plain_part.with_text(content_by_key[key])).render(variant, variables)
        except Exception:  # noqa: S112  one failing message must not fail the list
            continue
        made[id] = rendered.body or rendered.html
    return made
