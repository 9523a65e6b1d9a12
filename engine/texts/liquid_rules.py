"""Liquid for untrusted authors: no files, no clock, and a limit on everything that a text can make the server do.

python-liquid limits its output, its loops and its namespace. The rest is limited here: filters that make a long value
of short ones, endless lists and ranges, regular expressions that a malformed tag runs over the rest of the source again
and again, and `now`, which would differ each time a message is shown.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from time import monotonic
from typing import Any, NamedTuple, cast

from liquid import BoundTemplate, Environment, RenderContext
from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, LoopExpression, Path, StringLiteral
from liquid.builtin.expressions.primitive import RangeLiteral
from liquid.builtin.tags.for_tag import ForTag
from liquid.exceptions import (
    LiquidError,
    LiquidInterrupt,
    LocalNamespaceLimitError,
    LoopIterationLimitError,
    OutputStreamLimitError,
    ResourceLimitError,
)
from liquid.expression import Expression
from liquid.utils import ReadOnlyChainMap

from engine.texts.liquid_filters import MAX_ITEMS, bounded, items, weight, written_date

MAX_OUTPUT = 2_000_000  # characters of one rendered part
MAX_ITERATIONS = 10_000  # iterations of all nested loops together
MAX_STEPS = 100_000  # filters and iterations of one rendering
MAX_ASSIGNED = 1_000_000  # characters in all variables that a text assigns
MAX_SECONDS = 0.5  # seconds of wall-clock time; the limits above end a rendering long before
MAX_TAGS = 2_000
MAX_TAG = 2_000  # characters inside one pair of braces
MAX_INSIDE = 100_000  # characters inside all braces together

_TAGS = frozenset(
    [
        "if",
        "elsif",
        "else",
        "endif",
        "unless",
        "endunless",
        "case",
        "when",
        "endcase",
        "for",
        "endfor",
        "break",
        "continue",
        "assign",
        "capture",
        "endcapture",
        "comment",
        "endcomment",
        "raw",
        "endraw",
        "cycle",
        "increment",
        "decrement",
        "echo",
        "ifchanged",
        "endifchanged",
        "#",
    ]
)
_REMOVED_TAGS = ("include", "render", "liquid", "tablerow", "doc")
_OPEN = re.compile(r"\{\{|\{%")
_NAME = re.compile(r"-?\s*(#|\w+)")
_WIDE = re.compile(r"\s{200}")
_END_RAW = re.compile(r"\{%-?\s*endraw\s*-?%\}")


class TextError(Exception):
    """A text can't be used, or a rendering exceeded a limit (`limit`). The message names the remedy."""

    def __init__(self, message: str, line: int | None = None, *, limit: bool = False) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.message = str(self)
        self.line = line
        self.limit = limit


class Output:
    """The buffer of a rendering. A StringIO would also turn CRLF into LF."""

    __slots__ = ("parts", "room")

    def __init__(self, room: int) -> None:
        self.parts: list[str] = []
        self.room = room

    def write(self, text: str) -> int:
        """Appends a text. Raises OutputStreamLimitError."""
        if text:
            self.room -= len(text)
            if self.room < 0:
                raise OutputStreamLimitError(f"it writes more than {MAX_OUTPUT} characters", token=None)
            self.parts.append(text)
        return len(text)

    def getvalue(self) -> str:
        """Returns the whole text."""
        return "".join(self.parts)


class Context(RenderContext):
    """The state of one rendering, with counters. It has no `now` and no `today`."""

    __slots__ = ("assigned", "deadline", "steps")

    def __init__(self, template: BoundTemplate, variables: Mapping[str, Any], seconds: float) -> None:
        # Sets the parent's attributes without those of included templates: this runs once per message.
        self.env = template.env
        self.template = template
        self.locals = {}
        self.globals = variables
        self.counters = {}
        self.scope = ReadOnlyChainMap(self.locals, variables, self.counters)
        self.tag_namespace = {"cycles": {}, "ifchanged": "", "stopindex": {}}
        self.loops = []
        self.disabled_tags = []
        self.autoescape = template.env.autoescape
        self._copy_depth = 0
        self.parent_context = None
        self.loop_iteration_carry = 1
        self.local_namespace_size_carry = 0
        self.steps = MAX_STEPS
        self.assigned = 0
        self.deadline = monotonic() + seconds

    def tick(self) -> None:
        """Counts a step. Raises ResourceLimitError."""
        self.steps -= 1
        if self.steps < 0 or monotonic() > self.deadline:
            raise ResourceLimitError("it takes too long", token=None)

    def filter(self, name: str, token: Any) -> Callable[..., object]:
        """Counts a step and returns the filter with its limits."""
        self.tick()
        return cast(Rules, self.env).bounded[name]

    def assign(self, key: str, val: Any) -> None:
        """Sets a variable. Raises LocalNamespaceLimitError."""
        self.assigned += weight(val) - (weight(self.locals[key]) if key in self.locals else 0)
        if self.assigned > MAX_ASSIGNED:
            raise LocalNamespaceLimitError("its variables hold too much", token=None)
        self.locals[key] = val

    def get_buffer(self, buf: Any = None) -> Any:
        return Output(buf.room if isinstance(buf, Output) else MAX_OUTPUT)


class _Loop(LoopExpression):
    __slots__ = ()

    def _to_iter(self, obj: object, context: RenderContext) -> tuple[Iterator[Any], int]:
        if items(obj) > MAX_ITEMS:  # python-liquid makes a list of it to iterate backwards
            raise LoopIterationLimitError(f"it loops over more than {MAX_ITEMS} items", token=None)
        return super()._to_iter(obj, context)

    def evaluate(self, context: RenderContext) -> tuple[Iterator[object], int]:
        items, length = super().evaluate(context)
        return _ticking(items, cast(Context, context)), length


def _ticking(items: Iterable[object], context: Context) -> Iterator[object]:
    for item in items:
        context.tick()
        yield item


class _For(ForTag):
    def parse(self, stream: Any) -> Node:
        node = super().parse(stream)
        cast(Any, node).expression.__class__ = _Loop  # the parser is a static method of its class
        return node


class Rules(Environment):
    """The Liquid environment of users' texts."""

    block_nesting_limit = 30
    context_depth_limit = 30
    loop_iteration_limit = MAX_ITERATIONS
    local_namespace_limit = None  # Context counts the contents of values, not only their first level
    output_stream_limit = None  # Output limits it

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        super().setup_tags_and_filters(extra=extra)
        for name in _REMOVED_TAGS:
            self.tags.pop(name, None)
        self.add_tag(_For)
        self.add_filter("date", written_date)
        self.add_filter("raw", self.filters["safe"])  # the name by which most authors know it
        self.bounded = {name: bounded(name, work, self) for name, work in self.filters.items()}

    def error(self, exc: type[LiquidError] | LiquidError, msg: str | None = None, token: Any = None) -> None:
        """Raises an error with a position: at the end of a tag or of the source Liquid's own token has none."""
        if isinstance(exc, LiquidError) and token is not None and not _placed(exc.token):
            exc.token = token
        super().error(exc, msg, token)


def _placed(token: Any) -> bool:
    return token is not None and token.start_index >= 0


PLAIN = Rules()
HTML = Rules(autoescape=True)


def parse(source: str, environment: Rules = PLAIN) -> BoundTemplate:
    """Parses a text. Raises TextError."""
    for _ in tags(source):
        pass
    try:
        template = environment.from_string(source)
        for expression in expressions(template):
            _allow(expression, source)
    except LiquidError as error:
        raise failed(error, source) from error
    except RecursionError as error:
        raise TextError("This text is nested too deeply. Simplify it.") from error
    return template


def run(template: BoundTemplate, variables: Mapping[str, Any], seconds: float = MAX_SECONDS) -> str:
    """Renders a template. Raises TextError for any error that the text or the variables cause."""
    context, output = Context(template, variables, seconds), Output(MAX_OUTPUT)
    buffer = cast(Any, output)
    try:
        for node in template.nodes:
            node.render(context, buffer)
    except LiquidInterrupt:  # `break` outside of a loop ends the text
        pass
    except LiquidError as error:
        raise failed(error) from error
    except RecursionError as error:
        raise TextError("This text is nested too deeply. Simplify it.", limit=True) from error
    except (
        Exception
    ) as error:  # errors of Decimal, int, bytes.decode and others, for values that filters don't expect
        raise TextError(
            f"A filter can't handle the value that it received ({type(error).__name__}). Check the value."
        ) from error
    return output.getvalue()


def failed(error: LiquidError, source: str | None = None) -> TextError:
    """Returns our own message: Liquid's prints the source over several lines."""
    limit = isinstance(error, ResourceLimitError)
    problem = str(error.message or "it can't be understood").strip().rstrip(".")
    token = error.token
    text = source if source is not None else getattr(token, "source", None)
    line = None
    if text is not None and token is not None:
        line = text.count("\n", 0, token.start_index if _placed(token) else len(text)) + 1
    if limit:
        return TextError(f"This text is too complex: {problem}. Simplify it.", line, limit=True)
    return TextError(f"{problem}. Correct the text there.", line)


def expressions(template: BoundTemplate) -> Iterator[Expression]:
    """Yields the whole expressions in tags and braces, not their parts."""
    for node in nodes(template):
        yield from node.expressions()


def nodes(template: BoundTemplate) -> Iterator[Node]:
    """Yields all nodes of a template."""
    context = RenderContext(template)
    left = list(template.nodes)
    while left:
        node = left.pop()
        yield node
        left.extend(node.children(context, include_partials=False))


def paths(expression: Expression) -> Iterator[Path]:
    """Yields the variables of an expression."""
    left = [expression]
    while left:
        part = left.pop()
        if isinstance(part, Path):
            yield part
        left.extend(part.children())


def _allow(whole: Expression, source: str) -> None:
    left = [whole]
    while left:
        part = left.pop()
        if isinstance(part, FilteredExpression):
            _allow_filters(part, source)
        for child in part.children():
            ranged = isinstance(part, LoopExpression) and child is part.iterable
            if isinstance(child, RangeLiteral) and not ranged:
                raise TextError("A range like (1..5) is allowed only in a `for`.", _line(child, source))
            left.append(child)
    if isinstance(whole, RangeLiteral):
        raise TextError("A range like (1..5) is allowed only in a `for`.", _line(whole, source))


def _allow_filters(expression: FilteredExpression, source: str) -> None:
    for at, applied in enumerate(expression.filters or ()):
        line = source.count("\n", 0, max(0, applied.token.start_index)) + 1
        if applied.name not in PLAIN.filters:
            similar = get_close_matches(applied.name, PLAIN.filters, 1)
            hint = f"Did you mean `{similar[0]}`?" if similar else "Remove it, or use another one."
            raise TextError(f"There is no filter `{applied.name}`. {hint}", line)
        first = expression.left
        now = isinstance(first, StringLiteral) and first.value.strip().lower() in ("now", "today")
        if applied.name == "date" and at == 0 and now:
            raise TextError(
                "There is no `now`, because a message is rendered again whenever it is shown. Write the date,"
                " or pass it as a variable.",
                line,
            )


def _line(expression: Expression, source: str) -> int:
    return source.count("\n", 0, max(0, expression.token.start_index)) + 1


class Tag(NamedTuple):
    """A pair of braces in a source, with what is between them. `name` is that of a tag; None: they print a value."""

    start: int
    end: int
    inner: str
    name: str | None


def tags(source: str, further: frozenset[str] = frozenset()) -> Iterator[Tag]:
    """Yields the tags outside of comments and `raw`. `further`: names that are allowed beside those of Liquid.

    Scans every tag once. Raises TextError, also for tags that would send python-liquid's patterns over the source many
    times.
    """
    at = count = inside = comments = 0
    while match := _OPEN.search(source, at):
        start = match.end()
        tag = match.group() == "{%"
        end = source.find("%}" if tag else "}}", start)

        def wrong(message: str, position: int = match.start()) -> TextError:
            return TextError(message, source.count("\n", 0, position) + 1)

        if end < 0:
            raise wrong(f"`{match.group()}` is never closed. Close it with `{'%}' if tag else '}}'}`.")
        inner = source[start:end]
        count, inside, at = count + 1, inside + len(inner), end + 2
        if count > MAX_TAGS or inside > MAX_INSIDE:
            raise wrong(
                f"A text may have at most {MAX_TAGS} tags with {MAX_INSIDE} characters in all. Simplify it."
            )
        if len(inner) > MAX_TAG or _WIDE.search(inner):
            raise wrong(
                f"These braces contain more than {MAX_TAG} characters, or too much white space. Shorten them."
            )
        if not inner.strip().strip("-").strip():
            raise wrong("These braces are empty. Name a variable, or remove them.")
        if not tag:
            if not comments:
                yield Tag(match.start(), at, inner, None)
            continue
        name = _NAME.match(inner)
        if name is None:
            raise wrong("This tag has no name. Write one, like `{% if name %}`.")
        tag_name = name[1]
        if tag_name == "raw" and not comments:
            raw = _END_RAW.search(source, at)
            if raw is None:
                raise wrong("`raw` is never closed. Close it with `{% endraw %}`.")
            at = raw.end()
        elif tag_name == "comment":
            comments += 1
        elif tag_name == "endcomment":
            comments -= 1
        elif not comments:
            if tag_name not in _TAGS and tag_name not in further:
                raise wrong(f"The tag `{tag_name[:40]}` does not exist here. Remove it.")
            yield Tag(match.start(), at, inner, tag_name)
