"""Finds changes of the schema that break clients, compared with the SDL of the last release.

    python -m tests.sdl.breaking    # a release: what is there now is what later changes are held against

`released.graphql` is that SDL without its descriptions, one definition a line: only names and types can break a
program. `breaking.txt` allows changes, one a line: the text of the change, ` # `, the reason.
"""

from collections.abc import Iterable
from pathlib import Path

from graphql import (
    BreakingChangeType,
    DangerousChangeType,
    GraphQLSchema,
    build_client_schema,
    build_schema,
    find_breaking_changes,
    find_dangerous_changes,
    introspection_from_schema,
    parse,
    print_ast,
    print_schema,
    strip_ignored_characters,
)

HERE = Path(__file__).parent
RELEASED = HERE / "released.graphql"
ALLOWED = HERE / "breaking.txt"
HEADER = """\
# Changes since the last release that break somebody, each with its reason: a line of the test's, " # ", why.
"""

# What adds something that nobody has to know of.
HARMLESS = {
    DangerousChangeType.OPTIONAL_ARG_ADDED,
    DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
    DangerousChangeType.IMPLEMENTED_INTERFACE_ADDED,
}
ADVICE = (
    "Somebody's program may break at this. Keep what was released, and mark it @deprecated; or, if it must be,"
    " say why in tests/sdl/breaking.txt: this line, ' # ', the reason."
)
STALE = "tests/sdl/breaking.txt allows what has not changed. Take the line out."


def changes(released: GraphQLSchema, now: GraphQLSchema) -> list[str]:
    """A line for each change that may break somebody's program."""
    breaks: list[tuple[BreakingChangeType | DangerousChangeType, str]] = [
        (change.type, change.description) for change in find_breaking_changes(released, now)
    ]
    breaks += [
        (change.type, change.description)
        for change in find_dangerous_changes(released, now)
        if change.type not in HARMLESS
    ]
    return sorted(f"{kind.name}: {' '.join(description.split())}" for kind, description in breaks)


def allowed(lines: Iterable[str]) -> dict[str, str]:
    """Changes and their reasons. Raises ValueError for a line without one."""
    reasons: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        change, _, reason = line.strip().rpartition(" # ")
        if not change or not reason.strip():
            raise ValueError(
                f"tests/sdl/breaking.txt: {line.strip()!r} has no reason; write: change # reason"
            )
        reasons[change.strip()] = reason.strip()
    return reasons


def complaints(released: GraphQLSchema, now: GraphQLSchema, lines: Iterable[str]) -> list[str]:
    """Returns sentences about what is wrong, each with what to do about it."""
    allowed_changes, actual = allowed(lines), changes(released, now)
    return [
        *(f"{change}\n    {ADVICE}" for change in actual if change not in allowed_changes),
        *(f"{change}\n    {STALE}" for change in allowed_changes if change not in actual),
    ]


def compact(schema: GraphQLSchema) -> str:
    """Returns the SDL of a schema without descriptions, one definition a line."""
    bare = build_client_schema(introspection_from_schema(schema, descriptions=False))
    return "".join(
        strip_ignored_characters(print_ast(definition)) + "\n"
        for definition in parse(print_schema(bare)).definitions
    )


def release() -> None:
    """Writes down what is there now. No change is pending after it."""
    from schema.root import build

    RELEASED.write_text(compact(build_schema(build(explorable=True).as_str())), encoding="utf-8")
    ALLOWED.write_text(HEADER, encoding="utf-8")


def released() -> GraphQLSchema:
    return build_schema(RELEASED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    release()
