"""Reads the JSON of providers, in which any value may have any type."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import orjson

from channels.port import BadHook, BadSignature

MOST_RECIPIENTS: Final = 100
REFERENCE: Final = "postern-ref"
"""The name under which providers keep our token."""

_LONGEST: Final = 3_000  # characters of a text
_LONGEST_ID: Final = 200

Fields = Mapping[str, Any]


def parsed(body: bytes) -> Any:
    """Parses a callback. Raises BadHook."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise BadHook("the body is not valid JSON") from None


def object_of(body: bytes) -> Fields:
    """Parses a callback that is one object. Raises BadHook."""
    value = parsed(body)
    if not isinstance(value, dict):
        raise BadHook("the body is not a JSON object")
    return value


def events_of(body: bytes) -> list[Fields]:
    """Parses a callback that is one object or a list of them. Raises BadHook."""
    value = parsed(body)
    events = value if isinstance(value, list) else [value]
    if not all(isinstance(event, dict) for event in events):
        raise BadHook("the body is neither a JSON object nor a list of objects")
    return events


def child(value: Fields, name: str) -> Fields:
    """Returns an object inside another one; an empty one if there is none."""
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def children(value: Fields, name: str) -> Iterator[Fields]:
    """Returns the objects of a list, at most as many as a report may have recipients."""
    inner = value.get(name)
    objects = (item for item in inner if isinstance(item, dict)) if isinstance(inner, list) else iter(())
    return islice(objects, MOST_RECIPIENTS)


def text(value: Fields, *names: str) -> str:
    """Returns the first of these fields that is a text, a number, or a list that begins with a text; else ''."""
    for name in names:
        content = value.get(name)
        if isinstance(content, list):
            content = next((item for item in content if isinstance(item, str)), None)
        if isinstance(content, int) and not isinstance(content, bool):
            return str(content)
        if isinstance(content, str) and content:
            return content[:_LONGEST]
    return ""


def addresses(value: Fields, name: str) -> list[str]:
    """Returns the texts of a list, at most as many as a report may have recipients."""
    content = value.get(name)
    items = [content] if isinstance(content, str) else content if isinstance(content, list) else []
    return [item[:_LONGEST] for item in islice(items, MOST_RECIPIENTS) if isinstance(item, str)]


def report_id(*parts: str) -> str:
    """Returns a short name made of these parts: themselves, or their hash."""
    whole = ":".join(parts)
    if len(whole) <= _LONGEST_ID and whole.isascii() and whole.isprintable() and all(parts):
        return whole
    digest = hashlib.sha256("\n".join(parts).encode(errors="surrogatepass"))
    return f"sha256:{digest.hexdigest()}"


def check_time(seconds: float, now: float, tolerance: float) -> None:
    """Raises BadSignature if a signed time is too old or in the future."""
    if not abs(now - seconds) <= tolerance:
        raise BadSignature("the time of the signature is too far from ours")
