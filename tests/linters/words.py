"""The words of the code: private names that stand where the field has a term, or the thing a name.

Modules have none of them. Classes, functions, parameters and variables have them where words_allowed.txt says why, and
as a part of an established phrase (PHRASES).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.linters.source import Source, sources

INSTEAD = {
    "additions": "bulk_add",
    "announcements": "pubsub",
    "announce": "publish",
    "answering": "call handler",
    "contents": "field index, or what it contains",
    "cut": "page_args",
    "dealt": "regroup",
    "doorways": "operation index",
    "doubt": "invalidate",
    "durable": "retry",
    "facts": "context",
    "forgotten": "purge",
    "found": "the thing that was found: row, project, message",
    "freeze": "materialize",
    "front": "router, entry",
    "gaps": "catch_up",
    "given": "the thing: arguments, filters, limits",
    "ground": "state",
    "hands": "concurrency limits",
    "handover": "dispatcher",
    "happened": "event writer, apply_events",
    "heard": "received",
    "hearing": "receiver",
    "held": "reserved (money), leased",
    "hold": "lease, reserve (money)",
    "holds": "leases",
    "insist": "retry",
    "insisting": "retry",
    "judged": "validated",
    "kept": "stored, cached",
    "known": "the thing that is known: project, existing rows",
    "lane": "concurrency slot, ordered queue, connection cache",
    "lanes": "jobs, slots",
    "life": "lifecycle",
    "linked": "paired",
    "magic": "scenarios",
    "mark": "intent",
    "named": "by_ids",
    "near": "local cache",
    "nearby": "local cache",
    "news": "change events",
    "noting": "emit",
    "one": "the thing: item, rule, recipient",
    "opening": "credentials",
    "owners": "owner state",
    "pace": "send rate",
    "past": "history",
    "patiently": "retry",
    "people": "contacts",
    "place": "index, offset, slot",
    "places": "slots",
    "quiet": "flood wait",
    "resting": "cool down",
    "said": "the thing: message, answer, status text",
    "shown": "as_type, visible",
    "slice": "page",
    "slices": "pages",
    "tell": "emit",
    "tells": "event writer",
    "told": "parsed events, reported",
    "turn": "slot",
    "unit": "batch",
    "units": "batches",
    "visit": "cycle",
    "visits": "cycles, deliveries",
    "wanted": "the thing: requested fields, desired state",
    "wire": "codec, connection",
    "world": "simulator",
}
PHRASES = {
    "minor_units": "ISO 4217's term for the decimals of a currency",
    "named_type": "graphql-core's term for a type without its lists and non-nulls",
    "not_found": "the status 404 of HTTP",
}
"""Terms of a standard or a library with a word of INSTEAD, and whose term each is."""

PRODUCT = (
    "channels", "core", "db", "engine", "messengers", "postern", "resolvers", "rest", "runtime", "schema", "shapes",
    "sinks",
)  # fmt: skip
ALLOWED = Path(__file__).with_name("words_allowed.txt")


def words_of(name: str) -> set[str]:
    """Returns the words of a name in snake or camel case that have a better one."""
    snake = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    for phrase in PHRASES:
        snake = re.sub(rf"(?<![a-z]){phrase}(?![a-z])", "", snake)
    return set(snake.split("_")) & set(INSTEAD)


def allowed(text: str) -> dict[tuple[str, str], str]:
    """Returns the reason for each path (a file or a folder) and name; the name `*` means all. Lines:
    `path name: reason`.
    """
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    entries = [re.fullmatch(r"(\S+) (\S+): (\S.*)", line) for line in lines]
    wrong = [line for line, entry in zip(lines, entries, strict=True) if entry is None]
    assert not wrong, f"not `path name: reason`: {wrong}"
    return {(entry[1], entry[2]): entry[3] for entry in entries if entry}


def names(source: Source) -> Iterator[tuple[int, str, bool]]:
    """Line and name of everything that a file binds, and whether an exception is possible: not for the module."""
    yield 1, source.path.rsplit("/", 1)[-1].removesuffix(".py"), False
    for node in source.nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name, True
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg, True
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id, True
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr, True
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.lineno, node.name, True


def check(
    files: list[Source] | None = None, exceptions: dict[tuple[str, str], str] | None = None
) -> list[str]:
    """Returns `path:line: what is wrong` for each private name, and for each exception that nothing needs."""
    exceptions = allowed(ALLOWED.read_text(encoding="utf-8")) if exceptions is None else exceptions
    unused = set(exceptions)
    problems = []
    for source in sources() if files is None else files:
        if source.package not in PRODUCT or "/versions/" in source.path:
            continue
        for line, name, excusable in names(source):
            words = words_of(name)
            if not words:
                continue
            reasons = {
                (path, listed)
                for path, listed in exceptions
                if listed in (name, "*") and (source.path == path or source.path.startswith(f"{path}/"))
            }
            unused -= reasons
            if not reasons or not excusable:
                better = "; ".join(f"{word} → {INSTEAD[word]}" for word in sorted(words))
                problems.append(f"{source.path}:{line}: {name}: use the field's word ({better})")
    return problems + [f"words_allowed.txt: nothing needs {path} {name}" for path, name in sorted(unused)]
