"""Opens the schemas of answers, so that clients which were generated from an older document read a newer release.

    schemas of answers    allow further properties, require what every release has, and say which enums may grow
    schemas of requests   refuse unknown properties, and have a default in the description

Contract §9.11. A generator takes `default` in the schema of a request as a promise that the property is there, and
demands it from callers. So what a property is without being sent stands in its description.
"""

import json
from collections.abc import Iterator
from typing import Any

_REFERENCE = "#/components/schemas/"
_FINAL = {"Direction", "MessageStatus"}  # the specification has all of their values
_MAY_GROW = "Later releases may have further values."


def apply(document: dict[str, Any]) -> None:
    """Opens what answers consist of, and tells the defaults of what requests consist of. Changes the document."""
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    answers = [operation["responses"] for operation in operations]
    answers.append(document["components"].get("responses", {}))
    schemas = document["components"]["schemas"]
    of_answers = _reached(answers, schemas)
    of_requests = _reached([operation.get("requestBody") for operation in operations], schemas)
    for name in of_answers - of_requests - _FINAL:
        _open(schemas[name])
    for name in of_requests:
        for part in _parts(schemas[name]):
            _describe_defaults(part)


def _reached(parts: list[Any], schemas: dict[str, Any]) -> set[str]:
    """Returns the names of the schemas that these parts refer to, directly or through others."""
    reached, left = set[str](), parts
    while left:
        names = {
            reference.removeprefix(_REFERENCE)
            for each in left
            for part in _parts(each)
            if isinstance(reference := part.get("$ref"), str) and reference.startswith(_REFERENCE)
        }
        left = [schemas[name] for name in names - reached if name in schemas]
        reached |= names & schemas.keys()
    return reached


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Yields the value and all that it contains, as far as these are objects."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            yield part
            left += part.values()
        elif isinstance(part, list):
            left += part


def _open(schema: dict[str, Any]) -> None:
    for part in _parts(schema):
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        properties = part.get("properties")
        if isinstance(properties, dict) and isinstance(part.get("required"), list):
            defaults = {
                name for name, each in properties.items() if isinstance(each, dict) and "default" in each
            }
            for name in defaults:
                del properties[name]["default"]
            part["required"] = [name for name in part["required"] if name not in defaults]
            if not part["required"]:
                del part["required"]
        if "enum" in part and isinstance(part["enum"], list) and len(part["enum"]) > 1:
            text = part.get("description", "")
            part["description"] = f"{text.rstrip('.')}. {_MAY_GROW}" if text else _MAY_GROW


def _describe_defaults(part: dict[str, Any]) -> None:
    properties = part.get("properties")
    for each in properties.values() if isinstance(properties, dict) else ():
        if isinstance(each, dict) and "default" in each:
            default = each.pop("default")
            if default is not None:
                text = each.get("description", "")
                each["description"] = f"{text}; default: {json.dumps(default)}".removeprefix("; ")
