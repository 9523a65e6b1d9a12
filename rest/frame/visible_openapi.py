"""Leaves out of the OpenAPI document what belongs to modules that are off (contract §9.9)."""

from typing import Any

from fastapi import FastAPI

from rest.frame.openapi import operations_by_id
from shapes.purposes import Module


def visible(app: FastAPI, modules: frozenset[Module]) -> dict[str, Any]:
    """Returns the app's document without the operations whose modules are off, and without the components that only
    these need.
    """
    document = app.openapi()
    if modules == frozenset(Module):
        return document
    off = {
        id
        for id, operation in operations_by_id(app).items()
        if operation.switch is not None and operation.switch not in modules
    }
    paths = {
        path: left
        for path, item in document["paths"].items()
        if (left := {method: each for method, each in item.items() if each["operationId"] not in off})
    }
    tags = {tag for item in paths.values() for each in item.values() for tag in each["tags"]}
    components = document["components"]
    needed = _needed(paths, components)
    return {
        **document,
        "paths": paths,
        "tags": [tag for tag in document["tags"] if tag["name"] in tags],
        "components": {
            **components,
            **{
                kind: {name: part for name, part in components[kind].items() if (kind, name) in needed}
                for kind in ("schemas", "responses")
            },
        },
    }


def _needed(paths: Any, components: dict[str, Any]) -> set[tuple[str, str]]:
    """Returns the kind and name of all components that the paths refer to, also by way of other components."""
    needed: set[tuple[str, str]] = set()
    waiting: list[Any] = [paths]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str):
                kind, name = reference.split("/")[-2:]
                if (kind, name) not in needed:
                    needed.add((kind, name))
                    waiting.append(components[kind][name])
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return needed
