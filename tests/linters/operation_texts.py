"""The text of an operation stands once: in the docstring of its resolver. Routes and fields show it (runtime/texts.py).

A door writes a text of its own only where it must say something that the other door must not.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runtime.texts import public_text
from tests.linters import rules
from tests.linters.rules import DOCSTRING
from tests.linters.source import Source, sources

Door = ast.AsyncFunctionDef | ast.FunctionDef


class Written(NamedTuple):
    """A route or a field, the operation that it calls, and the text that it writes itself or takes from another one."""

    path: str
    line: int
    door: str
    operation: str
    own: str  # empty if it writes none
    taken: bool  # whether it takes the text of another operation, by `description=text(…)`


def texts(files: Sequence[Source]) -> dict[str, str]:
    """Returns the text of each operation, by its name; an empty one if it has no docstring."""
    return {
        f"{_module(source)}.{node.name}": public_text(ast.get_docstring(node))
        for source in files
        if source.package == "resolvers"
        for node in source.tree.body
        if isinstance(node, ast.AsyncFunctionDef) and any(map(_is_operation, node.decorator_list))
    }


def doors(files: Sequence[Source]) -> Iterator[Written]:
    """Yields all routes and root fields that call an operation."""
    for source in files:
        for door in rules.doors(source) if source.path not in rules.FREE else []:
            for name in rules.operations(source, door)[:1]:
                own, taken = _written(source, door)
                yield Written(source.path, door.lineno, door.name, name, own, taken)


def copies(files: Sequence[Source]) -> list[tuple[Written, str]]:
    """Returns each door with a text that stands elsewhere letter by letter, and where it stands: its operation, another
    one of the feature, or another door.
    """
    of_operations = texts(files)
    found: list[tuple[Written, str]] = []
    seen: dict[tuple[str, str], str] = {}
    for door in doors(files):
        if not door.own:
            continue
        feature = door.operation.split(".")[0]
        same = [
            name for name, text in of_operations.items() if text == door.own and name.split(".")[0] == feature
        ]
        other = seen.setdefault((feature, door.own), f"{door.path}:{door.line}")
        if same:
            found.append((door, door.operation if door.operation in same else same[0]))
        elif other != f"{door.path}:{door.line}":
            found.append((door, other))
    return found


def check(files: Sequence[Source] | None = None) -> list[str]:
    """Returns `path:line: what is wrong` for copies, for texts that no door shows, and for operations without one."""
    files = sources() if files is None else files
    of_operations, problems = texts(files), []
    for door, where in copies(files):
        remedy = (
            f"leave it out: {door.door} shows the text of {where} without it"
            if where == door.operation
            else f"take it: description=text({where}), with `text` of runtime/texts.py"
            if where in of_operations
            else f"write it once, as the first paragraph of the docstring of {door.operation}"
        )
        problems.append(f"{door.path}:{door.line}: this text stands in {where} already; {remedy}")
    behind: dict[str, list[Written]] = {}
    for door in doors(files):
        behind.setdefault(door.operation, []).append(door)
    for name, its in behind.items():
        first = its[0]
        if all(door.own for door in its):
            problems.append(
                f"{first.path}:{first.line}: no door shows the text of {name}; write this text as the first paragraph"
                " of its docstring, and leave it out here"
            )
        elif not of_operations.get(name, "-"):
            problems.append(
                f"{first.path}:{first.line}: {name} has no docstring, which the doors show; {DOCSTRING}"
            )
    return problems


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").removesuffix("/__init__").partition("/")[2].replace("/", ".")


def _is_operation(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "operation"


def _written(source: Source, door: Door) -> tuple[str, bool]:
    """Returns the text that a door writes, on one line, and whether it takes that of another operation instead."""
    given = [
        value
        for decorator in door.decorator_list
        if isinstance(decorator, ast.Call)
        for value in (
            *(decorator.args[:1] if source.package == "schema" else ()),
            *(keyword.value for keyword in decorator.keywords if keyword.arg == "description"),
        )
    ]
    if source.package == "rest" and not given:
        return " ".join((ast.get_docstring(door) or "").split()), False
    value = given[0] if given else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return " ".join(value.value.split()), False
    return "", value is not None
