"""Reads the GraphQL documents of the console from its source, and validates them against the SDL, without npm."""

import re
from pathlib import Path

from graphql import DocumentNode, GraphQLError, build_schema, parse, validate

_ROOT = Path(__file__).parents[2]
_CALL = re.compile(r"\bgraphql\(\s*`([^`]*)`\s*,?\s*\)")  # as console/tools/trusted-documents.ts has it


def documents(root: Path = _ROOT) -> DocumentNode:
    """Returns the operations and fragments of all files, as one document. Raises GraphQLError."""
    source = root / "console/src"
    files = sorted(file for folder in ("features", "frame") for file in (source / folder).rglob("*.ts*"))
    return parse("\n".join(text for file in files for text in _CALL.findall(file.read_text())))


def check(root: Path = _ROOT) -> list[str]:
    """Returns what the documents ask for and the SDL does not have, a sentence each."""
    schema = build_schema((root / "schema.graphql").read_text())
    try:
        errors = validate(schema, documents(root))
    except GraphQLError as error:
        errors = [error]
    return [f"console/src: {error.message} Change the document{_place(error)}" for error in errors]


def _place(error: GraphQLError) -> str:
    """Returns the line that the error is about."""
    if error.source is None or not error.locations:
        return "."
    return f" at: {error.source.body.splitlines()[error.locations[0].line - 1].strip()}"
