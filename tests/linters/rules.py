"""One function a rule: a file goes in, sentences come out. Exceptions stand beside the rule, with their reason."""

import ast
import re
from collections.abc import Callable, Iterator

from tests.linters.source import OURS, Source, is_there, members, sources

Found = Iterator[tuple[int, str]]

MOST_LINES = 400
# Files that are longer, with the reason.
LONGER: dict[str, str] = {}

MOST_PARAMETERS = 8

MOST_COLUMNS = 120

_WEB = {"fastapi", "starlette", "strawberry", "uvicorn", "httptools"}

# All that a docstring should be, for the messages about docstrings.
DOCSTRING = (
    "a docstring begins with a sentence that says what it does or returns, in the third person (`Returns …`,"
    " `Deletes …`); then, where it matters: units, the meaning of None, the reason; at its end `Raises …` names the"
    " errors that callers meet. Of an operation, all before `Raises …` in the first paragraph is shown by both doors"
)

_QUESTIONS = {"how", "what", "when", "where", "whether", "which", "who", "whom", "whose", "why"}

# Doors that are no operation's.
FREE = {
    "rest/console_page.py": "the files of a page",
    "rest/docs.py": "a page about the operations",
    "rest/guide.py": "the pages of docs/",
    "rest/graphiql.py": "the files of a page",
    "rest/metrics.py": "Prometheus has no user, and no other door would show it",
}
# A door that calls another feature's operation: the file, and whose.
GUESTS = {
    ("schema/users.py", "auth"): "`me` is a login's question, and its answer a User",
}


_CLIENTS = {"http.client", "httpx", "httpx2", "niquests", "requests", "urllib.request", "urllib3"}
# Files that import a part of another HTTP client, and why.
OTHER_CLIENTS: dict[str, dict[str, str]] = {
    "channels/exchange.py": {
        "urllib.request.getproxies": "reads the environment",
        "urllib.request.proxy_bypass": "reads the environment",
    },
    "core/outbound/guard.py": {"httpx": "its strict reader of URLs, and its TLS context; no client"},
    "core/legacy_bridge.py": {"httpx": "a bare transport for headers and bodies as they are"},
    "core/language_model.py": {"httpx2": "the client that the openai package calls with"},
}


def resolvers_know_no_web(source: Source) -> Found:
    if source.package == "resolvers":
        for line, name in source.imports:
            if name.split(".")[0] in _WEB:
                yield line, f"a resolver must not know {name}; the doors translate"


def only_the_frame_commits(source: Source) -> Found:
    if source.package in {"engine", "db", "tests", "bench"} or source.path == "runtime/operation.py":
        return
    for node in source.nodes:
        called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if called in {"commit", "rollback"}:
            yield node.lineno, f".{called}() belongs to runtime/operation.py"


def one_way_to_the_database(source: Source) -> Found:
    """The engine writes its SQL by hand, and doors get rows from operations: docs/decisions/0031."""
    if source.package in {"engine", "rest", "schema"} or source.path.startswith("runtime/fast/"):
        for line, name in source.imports:
            if name.split(".")[0] == "sqlalchemy":
                yield line, "sqlalchemy belongs to db and resolvers; take an asyncpg connection, or rows"


def one_http_client(source: Source) -> Found:
    """Calls of ours leave through core/outbound: docs/decisions/0049."""
    if source.package in {"tests", "bench"}:
        return
    for line, name in source.imports:
        is_client = any(f"{name}.".startswith(f"{client}.") for client in _CLIENTS)
        if is_client and name not in OTHER_CLIENTS.get(source.path, {}):
            yield line, f"{name} is another HTTP client; calls leave through core/outbound"


def nobody_prints(source: Source) -> Found:
    if source.package in {"tests", "bench", "tools"} or source.path in {
        "killtest/__main__.py",
        "postern/cli.py",
    }:
        return
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield node.lineno, "print() is for the command line; write to the log"


def files_are_short(source: Source) -> Found:
    lines = source.text.count("\n")
    if lines > MOST_LINES and source.path not in LONGER:
        yield MOST_LINES, f"{lines} lines; split the file, or name a reason in LONGER"


def functions_take_few(source: Source) -> Found:
    """Finds functions with so many parameters that some of them must be one value: a class with a name is missing.
    Options of a command are named where they are typed, and do not count.
    """
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spec = node.args
            arguments = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
            names = [argument.arg for argument in arguments if not _is_option(argument)]
            number = len(names) - (names[:1] in (["self"], ["cls"])) + bool(spec.vararg) + bool(spec.kwarg)
            if number > MOST_PARAMETERS:
                yield (
                    node.lineno,
                    f"{node.name} has {number} parameters, {MOST_PARAMETERS} at most; gather some in a class",
                )


def _is_option(argument: ast.arg) -> bool:
    return argument.annotation is not None and "typer.Option" in ast.unparse(argument.annotation)


def lines_are_short(source: Source) -> Found:
    """Finds lines that the formatter leaves long: texts, SQL, comments, and what `fmt: skip` stands on."""
    for number, line in enumerate(source.text.split("\n"), 1):
        if len(line) > MOST_COLUMNS:
            yield number, f"{len(line)} columns; {MOST_COLUMNS} at most"


def doors_are_thin(source: Source) -> Found:
    """A route or a root field is at most two statements that call one operation of its stem."""
    for door in doors(source) if source.path not in FREE else []:
        body = door.body[1:] if ast.get_docstring(door) is not None else door.body
        if len(body) > 2:
            yield (
                door.lineno,
                f"{door.name} has {len(body)} statements; the work belongs in resolvers/{source.stem}.py",
            )
        for statement in body:
            if isinstance(
                statement,
                (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.AsyncFor, ast.AsyncWith, ast.Match),
            ):
                yield (
                    statement.lineno,
                    f"{door.name} decides something; that belongs in resolvers/{source.stem}.py",
                )
        called = operations(source, door)
        if len(called) != 1:
            yield door.lineno, f"{door.name} must call one operation; it calls {', '.join(called) or 'none'}"
        for name in called:
            feature = name.split(".")[0]
            if feature != source.stem and (source.path, feature) not in GUESTS:
                yield door.lineno, f"{door.name} calls {name}, which is of another feature"


def doors(source: Source) -> list[ast.AsyncFunctionDef | ast.FunctionDef]:
    """The routes of a file in rest/, the root fields of a file in schema/."""
    if source.package == "rest" and source.stem not in {"__init__", "frame"}:
        return _routes(source)
    if source.package == "schema" and source.stem not in {"frame", "plans", "root"}:
        return [
            field
            for node in source.tree.body
            if isinstance(node, ast.ClassDef) and node.name in {"Query", "Mutation", "Subscription"}
            for field in node.body
            if isinstance(field, (ast.AsyncFunctionDef, ast.FunctionDef))
        ]
    return []


def _routes(source: Source) -> list[ast.AsyncFunctionDef | ast.FunctionDef]:
    added = {
        argument.id
        for node in source.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add_api_route"
        for argument in node.args
        if isinstance(argument, ast.Name)
    }
    return [
        node
        for node in source.tree.body
        if isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef))
        and (node.name in added or any(_is_route(decorator) for decorator in node.decorator_list))
    ]


def _is_route(decorator: ast.expr) -> bool:
    """Returns whether it is `@router.get(…)`, or one of HTTP's other methods, by whatever name the router has."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (
        isinstance(call, ast.Attribute)
        and isinstance(call.value, ast.Name)
        and call.attr in {"get", "post", "put", "patch", "delete", "api_route"}
    )


def operations(source: Source, door: ast.AST) -> list[str]:
    """The operations that a door calls, as `feature.name`."""
    features = {
        name.removeprefix("resolvers.") for _, name in source.imports if name.startswith("resolvers.")
    }
    return [
        f"{node.func.value.id}.{node.func.attr}"
        for node in ast.walk(door)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in features
    ]


def what_tests_import_is_there(source: Source) -> Found:
    """mypy reads the product; a test that can't be imported would be found by a whole run alone."""
    if source.package not in {"tests", "bench", "killtest"}:
        return
    for line, name in source.imports:
        module, _, member = name.rpartition(".")
        if name.split(".")[0] in OURS and not is_there(name) and member not in members(module):
            yield line, f"there is no {member} in {module}"


def docstrings_have_a_verb(source: Source) -> Found:
    """Finds docstrings that are a mere clause ("Whether it works.", "To whom it is shown."), in tests and benchmarks
    too.
    """
    for line, text in source.docstrings():
        first = re.match(r"\s*(?:(?:To|From|For|In|Of|At) )?(\w+)", text)
        if first and first[1].lower() in _QUESTIONS:
            yield (
                line,
                f"a docstring that begins with {first[1]!r} is no sentence; {DOCSTRING}",
            )


RULES: tuple[Callable[[Source], Found], ...] = (
    resolvers_know_no_web,
    only_the_frame_commits,
    one_way_to_the_database,
    one_http_client,
    nobody_prints,
    files_are_short,
    lines_are_short,
    functions_take_few,
    doors_are_thin,
    what_tests_import_is_there,
    docstrings_have_a_verb,
)


def check(files: list[Source] | None = None) -> list[str]:
    """`path:line: what is wrong`, for everything that is."""
    return [
        f"{source.path}:{line}: {problem}"
        for source in (sources() if files is None else files)
        for rule in RULES
        for line, problem in rule(source)
    ]
