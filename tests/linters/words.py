"""The words of the code: private names that stand where the field has a term, or the thing a name.

Modules have none of them. Classes, functions, parameters and variables have them where words_allowed.txt says why, and
as a part of an established phrase (PHRASES).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.linters.source import PRODUCT, Source, sources
from tests.linters.word_list import NAMES, PHRASES

ALLOWED = Path(__file__).with_name("words_allowed.txt")


def words_of(name: str) -> set[str]:
    """Returns the words of a name in snake or camel case that have a better one."""
    snake = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    for phrase in PHRASES:
        snake = re.sub(rf"(?<![a-z]){phrase}(?![a-z])", "", snake)
    return set(snake.split("_")) & set(NAMES)


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
                better = "; ".join(f"{word} → {NAMES[word]}" for word in sorted(words))
                problems.append(f"{source.path}:{line}: {name}: use the field's word ({better})")
    return problems + [f"words_allowed.txt: nothing needs {path} {name}" for path, name in sorted(unused)]
