"""Forms of the GraphQL multipart request specification, as a client makes them."""

import json
from typing import Any

import httpx

from tests.support.people import Person

UPLOAD = "mutation($file: Upload!) { uploadFile(file: $file) { uuid name mime size sha256 } }"
GUARD = {"graphql-require-preflight": "1"}
FILE = ("a.txt", b"hello", "text/plain")


def operations(query: str = UPLOAD, variables: Any = None, **more: Any) -> str:
    return json.dumps(
        {"query": query, "variables": {"file": None} if variables is None else variables, **more}
    )


def parts(
    operations: str | None,
    map: str | None = '{"0": ["variables.file"]}',
    *files: tuple[str, Any],
    **more: str,
) -> list[tuple[str, Any]]:
    """httpx's `files`, in this order: fields are those without a name."""
    fields = {"operations": operations, "map": map, **more}
    return [
        *((name, (None, value.encode())) for name, value in fields.items() if value is not None),
        *(files or (("0", FILE),)),
    ]


async def send(person: Person, form: list[tuple[str, Any]], **headers: str) -> httpx.Response:
    return await person.rest("POST", "/graphql", files=form, headers={**GUARD, **headers})
