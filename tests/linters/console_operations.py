"""Finds operations of the API that the console doesn't use and docs/console.md doesn't explain."""

import re
from collections.abc import Iterator
from pathlib import Path

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    ObjectTypeDefinitionNode,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
)

from tests.linters.console_documents import documents

_ROOT = Path(__file__).parents[2]
_HEADING = "## What the console does not show, and why"
# Queries and subscriptions share names, so those of subscriptions are told apart.
_PREFIXES = {"query": "", "mutation": "", "subscription": "subscription "}
_ROW = re.compile(r"^\|(?P<names>[^|]*)\|(?P<reason>[^|]*)\|\s*$")
_NAME = re.compile(r"`((?:subscription )?\w+)`")


def check(root: Path = _ROOT) -> list[str]:
    """Returns what is against the rule, a sentence each."""
    offered = _offered((root / "schema.graphql").read_text())
    shown = {*_used(documents(root))}
    return [*_problems(offered, shown, _reasons((root / "docs/console.md").read_text()))]


def _problems(offered: set[str], shown: set[str], reasons: dict[str, str]) -> Iterator[str]:
    for field in sorted(offered - shown - reasons.keys()):
        yield (
            f"schema.graphql: no document of the console uses {field}. Show it on a page, or add a row with the reason"
            f" to the table {_HEADING[3:]!r} in docs/console.md"
        )
    for field in sorted(reasons.keys() & shown):
        yield f"docs/console.md: {field} is used by the console. Delete it from the table of what is not shown"
    for field in sorted(reasons.keys() - offered):
        yield f"docs/console.md: schema.graphql has no field {field}. Delete it from the table of what is not shown"
    for field in sorted(field for field, reason in reasons.items() if not reason):
        yield f"docs/console.md: the table of what is not shown gives no reason for {field}"


def _offered(schema: str) -> set[str]:
    """Returns the fields of the root types."""
    return {
        _PREFIXES[node.name.value.lower()] + field.name.value
        for node in parse(schema, no_location=True).definitions
        if isinstance(node, ObjectTypeDefinitionNode) and node.name.value.lower() in _PREFIXES
        for field in node.fields
    }


def _used(document: DocumentNode) -> Iterator[str]:
    """Yields the fields of the root types that the operations of a document ask for."""
    definitions = document.definitions
    fragments = {
        node.name.value: node.selection_set
        for node in definitions
        if isinstance(node, FragmentDefinitionNode)
    }
    for node in definitions:
        if isinstance(node, OperationDefinitionNode):
            for field in _fields(node.selection_set, fragments):
                yield _PREFIXES[node.operation.value] + field


def _fields(selected: SelectionSetNode, fragments: dict[str, SelectionSetNode]) -> Iterator[str]:
    for node in selected.selections:
        if isinstance(node, FieldNode):
            yield node.name.value
        elif isinstance(node, InlineFragmentNode):
            yield from _fields(node.selection_set, fragments)
        elif isinstance(node, FragmentSpreadNode):
            yield from _fields(fragments[node.name.value], fragments)


def _reasons(page: str) -> dict[str, str]:
    """Returns the reason of each field in the table below the heading."""
    table = page.partition(_HEADING)[2].partition("\n## ")[0]
    return {
        field: row["reason"].strip()
        for row in map(_ROW.match, table.splitlines())
        if row
        for field in _NAME.findall(row["names"])
    }
