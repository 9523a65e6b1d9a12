"""What every GraphQL file uses: pydantic-backed types and fields, scalars that match REST, Relay's ids."""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeVar, cast
from uuid import UUID

import strawberry
from graphql import GraphQLError
from strawberry.pydantic import field, input, type
from strawberry.scalars import JSON
from strawberry.schema.types.base_scalars import DateTimeDefinition, UUIDDefinition
from strawberry.types import Info as StrawberryInfo
from strawberry.types.scalar import scalar

from postern.context import Context
from postern.errors import BadRequest
from schema.types import enums  # the enums must be known before the first type that has one
from schema.types.page import Rows

Info = StrawberryInfo[Context, None]
ID = strawberry.ID

__all__ = [
    "ID",
    "JSON",
    "Info",
    "enums",
    "field",
    "global_id",
    "input",
    "local_id",
    "mutation",
    "page",
    "query",
    "subscription",
    "type",
]

P = TypeVar("P")
F = TypeVar("F", bound=Callable[..., Any])


def query(description: str) -> Callable[[F], F]:
    """A field of the Query type. (`strawberry.field` with options is untyped.)"""
    return cast("Callable[[F], F]", strawberry.field(description=description))


def mutation(description: str) -> Callable[[F], F]:
    """A field of the Mutation type."""
    return cast("Callable[[F], F]", strawberry.mutation(description=description))


def subscription(description: str) -> Callable[[F], F]:
    """A field of the Subscription type: a resolver that gives what it is to tell, one after the other."""
    return cast("Callable[[F], F]", strawberry.subscription(description=description))


def global_id(kind: str, id: UUID) -> ID:
    """Relay's opaque id: the type's name and the row's id."""
    return ID(base64.urlsafe_b64encode(f"{kind}:{id}".encode()).decode().rstrip("="))


def parse_global_id(text: str) -> tuple[str, UUID] | None:
    """The type and the row, or None for what is no global id."""
    try:
        kind, _, id = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
        return kind, UUID(id)
    except (ValueError, binascii.Error):
        return None


def local_id(text: str, kind: str) -> UUID:
    """The row's id out of either spelling that an argument may have. Raises BadRequest."""
    try:
        return UUID(text)
    except ValueError:
        found = parse_global_id(text)
    if found is None or found[0] != kind:
        raise BadRequest(f"{text[:64]!r} is no id of a {kind}.", code="bad_id")
    return found[1]


@strawberry.interface(description="Anything that has an id of its own.")
class Node:
    id: ID = strawberry.field(description="opaque, unique over all types; `node(id:)` takes it")


_DIGITS = re.compile(r"-?[0-9]{1,32}(\.[0-9]{1,32})?")


def _decimal(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise GraphQLError("a Decimal is a number, or a number as text")
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise GraphQLError(f"{value[:32]!r} is no number; write it like 12.50")
    parsed = Decimal(str(value))
    if not parsed.is_finite():
        raise GraphQLError("a Decimal is finite")
    return parsed


def _instant(value: datetime) -> str:
    """As REST writes it: UTC with `Z`."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _scalar(
    name: str, description: str, serialize: Callable[[Any], Any], parse: Callable[[Any], Any] | None
) -> Any:
    return scalar(name=name, description=description, serialize=serialize, parse_value=parse)


SCALARS: dict[object, Any] = {
    Decimal: _scalar(
        "Decimal", "A number of at most 12 digits before and 6 after the point.", float, _decimal
    ),
    UUID: replace(UUIDDefinition, description="RFC 9562, as 8-4-4-4-12 hexadecimal digits."),
    datetime: _scalar("DateTime", "ISO 8601, UTC.", _instant, DateTimeDefinition.parse_value),
}


def page(kind: Callable[..., P], rows: Rows[Any]) -> P:
    """A resolver's rows as a page type: `{items, meta}`, as REST shows it."""
    return kind(items=rows.items, meta=rows.meta)
