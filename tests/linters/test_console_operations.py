"""Each operation of the API has a place in the console, or a reason why not."""

from pathlib import Path

import pytest

from tests.linters import console_operations

_SCHEMA = """
type Query { ships: [String!] ship(id: ID!): String }
type Mutation { sink(id: ID!): Boolean }
type Subscription { ships: String sunk: String }
"""
_USED = "query Fleet { ...Ships } fragment Ships on Query { ships }"
_TABLE = """
# The web console

Not in the table: `ship`.

## What the console does not show, and why

| field | why |
|---|---|
| `ship`, `subscription sunk` | `ships` has the same |
| `subscription ships` | the list is read again |
| `sink` | programs do that |

## How it is built

| `nothing` | is not in the table |
"""


def _tree(folder: Path, used: str = _USED, table: str = _TABLE) -> Path:
    for path, text in {
        "schema.graphql": _SCHEMA,
        "console/src/frame/page.ts": f"export const Page = graphql(`{used}`);",
        "docs/console.md": table,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def test_each_operation_has_a_place_or_a_reason() -> None:
    assert console_operations.check() == []


def test_fields_with_a_place_or_a_reason_are_fine(tmp_path: Path) -> None:
    assert console_operations.check(_tree(tmp_path)) == []


@pytest.mark.parametrize(
    ("used", "table", "problem"),
    [
        (
            _USED,
            _TABLE.replace("| `sink` | programs do that |\n", ""),
            "no document of the console uses sink.",
        ),
        (_USED + " mutation Sink { sink(id: 1) }", _TABLE, "sink is used by the console."),
        ("query { ... on Query { ships ship(id: 1) } }", _TABLE, "ship is used by the console."),
        (_USED, _TABLE.replace("`ship`,", "`ship`, `boat`,"), "schema.graphql has no field boat."),
        (_USED, _TABLE.replace("programs do that", " "), "gives no reason for sink"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, used: str, table: str, problem: str) -> None:
    (found,) = console_operations.check(_tree(tmp_path, used, table))
    assert problem in found
