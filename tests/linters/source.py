"""A Python file as the rules see it."""

import ast
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = (
    "bench", "channels", "core", "db", "doors", "engine", "killtest", "messengers", "postern", "resolvers", "rest",
    "runtime", "schema", "shapes", "sinks", "tests", "tools",
)  # fmt: skip
FOREIGN = {".venv", "node_modules"}
PRODUCT = (
    "channels", "core", "db", "doors", "engine", "messengers", "postern", "resolvers", "rest", "runtime", "schema",
    "shapes", "sinks",
)  # fmt: skip


@dataclass(frozen=True)
class Source:
    path: str  # from the root of the project, with slashes
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """All nodes of the tree. A dozen rules look at them, and to walk takes longer than to look."""
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:  # which grows meanwhile
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, ast.AST):
                    if value._fields:  # Load, Store and the operators have none, and stand everywhere
                        nodes.append(value)
                elif isinstance(value, list):
                    nodes += [item for item in value if isinstance(item, ast.AST)]
        return nodes

    @property
    def package(self) -> str:
        """The first folder."""
        return self.path.split("/")[0]

    @property
    def stem(self) -> str:
        """The feature: the file's name, or the folder's where a feature is a package."""
        parts = self.path.removesuffix(".py").split("/")
        return parts[1] if len(parts) > 2 or parts[-1] != "__init__" else parts[0]

    @cached_property
    def imports(self) -> Sequence[tuple[int, str]]:
        """Line and dotted name of everything that is imported but relatively, as deep as the statement says."""
        imports: list[tuple[int, str]] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                imports += ((node.lineno, name.name) for name in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                imports += ((node.lineno, f"{node.module}.{name.name}") for name in node.names)
        return imports

    def docstrings(self) -> Iterator[tuple[int, str]]:
        """Line and text of each docstring: of the module, classes and functions, and below constants and fields."""
        for node in self.nodes:
            body = getattr(node, "body", None)
            for i, statement in enumerate(body if isinstance(body, list) else []):
                if (
                    isinstance(statement, ast.Expr)
                    and isinstance(statement.value, ast.Constant)
                    and isinstance(statement.value.value, str)
                    and (i == 0 or isinstance(body[i - 1], ast.Assign | ast.AnnAssign))
                ):
                    yield statement.lineno, statement.value.value


@cache
def is_there(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


@cache
def members(module: str) -> frozenset[str]:
    """Returns the names that another file can import from a module."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return frozenset()
    table = symtable.symtable(file.read_text(encoding="utf-8"), str(file), "exec")
    return frozenset(
        name.get_name() for name in table.get_symbols() if name.is_assigned() or name.is_imported()
    )


def sources(root: Path = ROOT) -> list[Source]:
    """Returns our modules. Tools of other targets have their packages in `.venv` and `node_modules` of a folder."""
    return [
        Source(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
        for folder in OURS
        for file in sorted((root / folder).rglob("*.py"))
        if FOREIGN.isdisjoint(file.parts)
    ]
