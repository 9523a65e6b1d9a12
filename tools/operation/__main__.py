"""`make operation FEATURE=blocks NAME=archive`: writes the skeleton of an operation into the files of a feature.

With READ=1 it is a read, which counts the caller's own rows, and works as it is. Its name says what it returns, as
the fields of GraphQL's Query do: `blocksSummary`, beside the mutation `archiveBlocks`.

The texts in `skeleton/` go where a person would write them: after the last operation, route, field and case.
Everything is checked before the first file is written. A change raises NotImplementedError, so its test fails until
the work is written.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from string import Template

from tools.feature.__main__ import Refused

ROOT = Path(__file__).resolve().parents[2]
SKELETON = Path(__file__).with_name("skeleton")
IMPORTS = {
    "shapes": ("from typing import Annotated", "from pydantic import Field", "from shapes.shape import Shape, Text"),
    "resolvers": ("from runtime.operation import Op, operation", "from runtime.permissions import Permission"),
    "rest": (
        "from typing import Any", "from rest.frame.errors import errors",
        "from rest.frame.routing import BEARER, router", "from runtime.context import Ctx",
    ),
    "schema": ("import strawberry", "from schema.frame import graphql", "from schema.frame.graphql import Info"),
    "tests/doors/cases": ("from tests.doors.case import Case, Rest",),
}  # fmt: skip
"""Imports that the lines of the skeleton need; ruff sorts and merges them with those that are there."""


class Source:
    """A file of the feature, with places that are found by its syntax tree."""

    def __init__(self, folder: str, feature: str) -> None:
        self.folder = folder
        paths = [ROOT / folder / f"{feature}.py", ROOT / folder / feature / "__init__.py"]
        found = next((path for path in paths if path.is_file()), None)
        if not found:
            raise Refused(f"There is no {folder}/{feature}.py. `make feature` writes a new feature.")
        self.path, self.text = found, found.read_text(encoding="utf-8")

    def end_of(self, wanted: Callable[[ast.stmt], bool], what: str) -> int:
        """Returns the number of the last line of the last statement that is wanted. Raises Refused."""
        ends = [node.end_lineno for node in ast.parse(self.text).body if wanted(node)]
        if not ends or ends[-1] is None:
            raise Refused(
                f"{self.path.relative_to(ROOT)} has no {what}, after which the new one could stand."
            )
        return ends[-1]

    def insert(self, line: int, text: str) -> None:
        lines = self.text.splitlines(keepends=True)
        self.text = "".join([*lines[:line], text, *lines[line:]])

    def use(self, *imports: str) -> None:
        after = self.end_of(lambda node: isinstance(node, ast.Import | ast.ImportFrom), "import")
        self.insert(after, "".join(f"{line}\n" for line in (*IMPORTS[self.folder], *imports)))


def decorated(word: str) -> Callable[[ast.stmt], bool]:
    """Returns what finds functions with a decorator whose name matches `word`."""
    return lambda node: (
        isinstance(node, ast.AsyncFunctionDef)
        and any(
            isinstance(each, ast.Call) and re.fullmatch(word, ast.unparse(each.func))
            for each in node.decorator_list
        )
    )


def named(kind: type[ast.stmt], name: str) -> Callable[[ast.stmt], bool]:
    """Returns what finds a class or an assignment of this name."""
    return lambda node: isinstance(node, kind) and name in (
        getattr(node, "name", None), ast.unparse(getattr(node, "target", ast.Constant(0))),
    )  # fmt: skip


def own_router(rest: Source) -> tuple[str, str, bool]:
    """Returns the router of the feature's own routes, its prefix, and whether all its routes are extensions.

    A router of the vendor's format, which `vendor` makes, is none. Raises Refused.
    """
    made = {
        ast.unparse(node.targets[0]): {key.arg: ast.unparse(key.value) for key in node.value.keywords}
        for node in ast.parse(rest.text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "router"
    }  # fmt: skip
    name = next((name for name in ("extension", "api") if name in made), None)
    if name is None:
        raise Refused(
            f"{rest.path.relative_to(ROOT)} has no router of ours. Make one with `router(…)` first."
        )
    return name, made[name].get("prefix", "''")[1:-1], made[name].get("extension") == "True"


def first_catch_all(rest: Source, verb: str) -> int | None:
    """Returns the number of lines above the first route of the form `/{id}` with this verb; None: there is none."""
    for node in ast.parse(rest.text).body:
        if not isinstance(node, ast.AsyncFunctionDef):
            continue
        for each in node.decorator_list:
            if re.match(rf"\w+\.{verb}\('/\{{\w+\}}'", ast.unparse(each)):
                return node.decorator_list[0].lineno - 1
    return None


def own_table(feature: str) -> str:
    """Returns the first table of the feature whose rows have an owner. Raises Refused."""
    models = Source("db/models", feature)
    for node in ast.parse(models.text).body:
        if isinstance(node, ast.ClassDef):
            lines = [ast.unparse(line) for line in node.body]
            table = next((line for line in lines if line.startswith("__tablename__ = ")), None)
            if table and any(line.startswith("owner_id:") for line in lines):
                return str(ast.literal_eval(table.partition(" = ")[2]))
    raise Refused(
        f"{models.path.relative_to(ROOT)} has no table with an owner_id, whose rows the read could count."
        " Write the operation without READ=1, or by hand."
    )


def permission_of(work: Source, feature: str, read: bool) -> str:
    """Returns the permission that the new operation asks for. Raises Refused."""
    asked = re.findall(r"^@operation\(Permission\.(\w+)", work.text, re.MULTILINE)
    if not asked:
        raise Refused(f"{work.path.relative_to(ROOT)} has no operation. `make feature` writes a new feature.")
    if not read:
        return str(asked[-1])
    reading = [each for each in asked if each.endswith("_read")]
    if not reading:
        raise Refused(
            f"{work.path.relative_to(ROOT)} has no operation that asks for {feature}_read. Add that permission first."
        )
    return f"{feature}_read" if f"{feature}_read" in reading else str(reading[-1])


def write(feature: str, name: str, read: bool = False) -> list[Path]:
    """Writes the operation. Returns the changed files and the new one. Raises Refused."""
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name) or name in ("list", "page"):
        raise Refused(
            "The name of an operation is in lower case: a verb such as `archive`, or what a read returns, such"
            f" as `summary`; {name!r} is not."
        )
    shapes, work, rest, schema, cases = (Source(folder, feature) for folder in IMPORTS)
    permission = permission_of(work, feature, read)
    if re.search(rf"^async def {name}\(", work.text, re.MULTILINE):
        raise Refused(f"{work.path.relative_to(ROOT)} has {name!r} already. Choose another name.")
    if read and not re.search(r"^async def rows\(ada: Person\)", cases.text, re.MULTILINE):
        raise Refused(
            f"{cases.path.relative_to(ROOT)} has no rows(ada), whose rows the test counts. Add it first."
        )
    test = ROOT / "tests" / feature / f"test_{name}.py"
    if test.exists():
        raise Refused(f"{test.relative_to(ROOT)} is there already. Choose another name.")
    router, prefix, whole = own_router(rest)
    # A route of the form /{id} would answer in its place. A read stands above that one; a change may not, since
    # `POST /block/{phone}` takes any text, and this path would be one of them.
    catch_all = first_catch_all(rest, "get" if read else "post")
    path = f"/{name.replace('_', '-')}" + ("" if read or catch_all is None else "/run")
    field = f"{feature}_{name}" if read else f"{name}_{feature}"
    pascal = "".join(word.capitalize() for word in field.split("_"))
    words = {
        "feature": feature, "name": name, "field": field, "camel": pascal[0].lower() + pascal[1:],
        "Input": f"{pascal}Input", "Result": pascal if read else f"{pascal}Result", "permission": permission,
        "router": router,
        "path": path, "url": prefix + path, "tags": "" if whole else ", tags=EXTENSION",
        "NAME": name.upper(), "table": own_table(feature) if read else "",
    }  # fmt: skip

    def text(of: str) -> str:
        return Template((SKELETON / f"{'read_' * read}{of}.txt").read_text(encoding="utf-8")).substitute(
            words
        )

    if re.search(rf"^class {words['Result']}\(", shapes.text, re.MULTILINE):
        raise Refused(
            f"{shapes.path.relative_to(ROOT)} has {words['Result']!r} already. Choose another name."
        )
    shape = f"from shapes.{feature} import {'' if read else words['Input'] + ', '}{words['Result']}"
    kind = "Query" if read else "Mutation"
    shapes.insert(shapes.text.count("\n"), text("shapes"))
    work.insert(work.end_of(decorated("operation"), "operation"), text("resolvers"))
    last_route = rest.end_of(decorated(r"\w+\.(get|post|put|patch|delete)"), "route")
    rest.insert(last_route if catch_all is None or not read else catch_all, text("rest"))
    schema.insert(schema.end_of(named(ast.ClassDef, kind), f"class {kind}"), text("schema"))
    cases.insert(cases.end_of(named(ast.AnnAssign, "CASES"), "CASES") - 1, text("case"))
    schema.insert(
        schema.end_of(lambda node: isinstance(node, ast.Import | ast.ImportFrom | ast.If), "import"),
        text("schema_types"),
    )
    shapes.use(*(("from shapes.shape import Cost",) if read else ()))
    work.use(shape)
    rest.use(
        f"from resolvers import {feature}",
        shape,
        *(() if whole else ("from rest.frame.routing import EXTENSION",)),
    )
    schema.use(f"from resolvers import {feature}", shape)
    cases.use()
    for source in (shapes, work, rest, schema, cases):
        source.path.write_text(source.text, encoding="utf-8")
    test.parent.mkdir(exist_ok=True)
    test.write_text(text("test"), encoding="utf-8")
    files = [*(source.path for source in (shapes, work, rest, schema, cases)), test]
    ruff = Path(sys.executable).with_name("ruff")
    for command in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        subprocess.run([ruff, *command, *files], cwd=ROOT, check=True)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="make operation", description="Writes the skeleton of an operation."
    )
    parser.add_argument("feature", metavar="FEATURE", help="a feature that exists: blocks")
    parser.add_argument("name", metavar="NAME", help="what it does, or what a read returns: archive, summary")
    parser.add_argument("--read", action="store_true", help="it changes nothing: GET and a field of Query")
    arguments = parser.parse_args()
    try:
        files = write(arguments.feature, arguments.name, arguments.read)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    for path in files:
        print(path.relative_to(ROOT))
    print(
        "Next: the work; a line in CHANGELOG.md; its place in the console, or a row in docs/console.md. Then make"
        " format, make snapshots, make check, and the tests that CONTRIBUTING.md names."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
