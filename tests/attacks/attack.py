"""Requests that must not harm: their shape, and short ways to write one."""

from dataclasses import dataclass, field
from typing import Any

import orjson

JSON = {"content-type": "application/json"}
SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}


@dataclass(frozen=True)
class Attack:
    id: str
    method: str
    path: str
    expected: set[int]
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    who: str | None = "ada"
    forbidden: tuple[str, ...] = ()
    code: str | None = None


def json(id: str, method: str, path: str, value: Any, expected: set[int], **more: Any) -> Attack:
    return raw(id, method, path, value if isinstance(value, bytes) else orjson.dumps(value), expected, **more)


def raw(id: str, method: str, path: str, body: bytes, expected: set[int], **more: Any) -> Attack:
    return Attack(id, method, path, expected, body, {**JSON, **more.pop("headers", {})}, **more)


def graphql(id: str, document: str, expected: set[int], variables: Any = None, **more: Any) -> Attack:
    return json(id, "POST", "/graphql", {"query": document, "variables": variables}, expected, **more)


def get(id: str, path: str, expected: set[int], **more: Any) -> Attack:
    return Attack(id, "GET", path, expected, **more)
