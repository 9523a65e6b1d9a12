"""Makes of openapi.json the document that both SDKs are generated from.

An operation is called by the feature and its name there, as in the code: `messages.send`, `sending_projects.start`.
Left out are pages for people, doors of other protocols, and what providers, the console and monitoring call.
"""

import json
from collections.abc import Iterator
from typing import Any

from core.installation import ROOT

SOURCE = ROOT / "openapi.json"
_LEFT_OUT = {
    "console": "the login of the web console",
    "graphql": "another door",
    "hooks": "providers call it",
    "legacy": "passes any request on",
    "metrics": "Prometheus reads it",
}
_PAGES = {"text/html"}
_BINARY = {"application/x-ndjson", "application/jwk-set+json", "image/png", "image/jpeg", "image/gif"}


def prepared() -> dict[str, Any]:
    """Returns the document of the SDKs."""
    document: dict[str, Any] = json.loads(SOURCE.read_text(encoding="utf-8"))
    stems = _stems()
    for item in document["paths"].values():
        for method, operation in list(item.items()):
            stem, name = _named(operation["operationId"], stems)
            content = _of_success(operation)
            if stem in _LEFT_OUT or (content and content.keys() <= _PAGES):
                del item[method]
                continue
            operation["operationId"], operation["tags"] = f"{stem}.{name}", [stem]
            _simplify(content)
    document["paths"] = {path: item for path, item in document["paths"].items() if item}
    document["tags"] = [{"name": stem} for stem in stems]
    _name_items(document["components"]["schemas"])
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields the method, the path and the description of each operation."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def keyed(document: dict[str, Any]) -> list[str]:
    """Returns the operations that honour an Idempotency-Key, as `POST /messages`."""
    return sorted(
        f"{method} {path}"
        for method, path, operation in operations(document)
        if any(parameter.get("name") == "Idempotency-Key" for parameter in operation.get("parameters", ()))
    )


def _stems() -> list[str]:
    """Returns the features with a door of REST, longer names first, so that each has its own operations."""
    names = {path.stem for path in (ROOT / "rest").iterdir() if path.stem[0] not in "_."}
    return sorted({*names - {"frame"}, "graphql"}, key=lambda stem: (-len(stem), stem))


def _named(id: str, stems: list[str]) -> tuple[str, str]:
    stem = next(stem for stem in stems if id.startswith(f"{stem}_"))
    return stem, id.removeprefix(f"{stem}_")


def _of_success(operation: dict[str, Any]) -> dict[str, Any]:
    """Returns the kinds of content of the first answer that is no error."""
    answers = operation["responses"].items()
    content: dict[str, Any] = next(
        (answer.get("content", {}) for status, answer in answers if status.startswith("2")), {}
    )
    return content


def _simplify(content: dict[str, Any]) -> None:
    """Leaves an answer one kind of content: the generators know JSON and bytes."""
    if "application/json" in content:
        for kind in content.keys() - {"application/json"}:
            del content[kind]
    elif content.keys() & _BINARY:
        content.clear()
        content["application/octet-stream"] = {"schema": {"type": "string", "format": "binary"}}


def _name_items(schemas: dict[str, Any]) -> None:
    """Lets lists name their items if a schema has the same properties: a batch describes its messages in place, since
    it takes wrong ones, too.
    """
    names = {
        frozenset(schema["properties"]): name for name, schema in schemas.items() if schema.get("properties")
    }
    for schema in schemas.values():
        for part in schema.get("properties", {}).values():
            items = part.get("items", {})
            if name := names.get(frozenset(items.get("properties", ()))):
                part["items"] = {"$ref": f"#/components/schemas/{name}"}


def without_free_objects(part: Any) -> Any:
    """Returns a part of a document in which an object whose keys are the caller's is any value: Python's generator
    would make a class of each, in place of a dict.
    """
    if isinstance(part, list):
        return [without_free_objects(each) for each in part]
    if not isinstance(part, dict):
        return part
    if part.get("type") == "object" and "properties" not in part and "additionalProperties" in part:
        return {"description": part["description"]} if "description" in part else {}
    return {key: without_free_objects(value) for key, value in part.items()}
