"""Makes types and fields of pydantic models, scalars that match REST, and Relay's ids, for all GraphQL files."""

import base64
import binascii
import builtins
import re
from collections.abc import Awaitable, Callable
from dataclasses import MISSING, Field, dataclass, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from inspect import Parameter
from typing import Annotated, Any, NamedTuple, TypeVar, cast
from uuid import UUID

import strawberry
from graphql import GraphQLError
from pydantic import BaseModel
from strawberry.annotation import StrawberryAnnotation
from strawberry.pydantic import field, input, type
from strawberry.scalars import JSON
from strawberry.schema.types.base_scalars import DateTimeDefinition, UUIDDefinition
from strawberry.types import Info as StrawberryInfo
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.scalar import scalar

from core.errors import BadRequest
from db.base import Base
from runtime.context import Context
from shapes import enums  # the enums must be known before the first type that has one
from shapes.shape import Cost, in_calendar


class Info(StrawberryInfo[Context, None]):
    """The request, as a field's function sees it."""

    columns: frozenset[str] | None = None
    """The attributes of the result that are requested, if the executor knows them; None: all of them."""


ID = strawberry.ID

__all__ = [
    "COST",
    "GLOBAL_ID",
    "ID",
    "JSON",
    "NEEDS",
    "NODES",
    "Info",
    "Node",
    "NodeKind",
    "NodeRow",
    "argument",
    "computed",
    "enums",
    "field",
    "global_id",
    "input",
    "local_id",
    "mutation",
    "node",
    "query",
    "subscription",
    "type",
]

F = TypeVar("F", bound=Callable[..., Any])


def query(
    description: str | None = None,
    *,
    arguments: builtins.type[Any] | None = None,
    cost: Cost | None = None,
) -> Callable[[F], F]:
    """Makes a field of the Query type. (`strawberry.field` with options is untyped.)

    Without a description a field has the text of the operation that it calls: so do mutations and subscriptions.

    `arguments`: a dataclass whose fields are the field's arguments. Its function is `function(self, info, arguments)`.
    """
    metadata = {COST: cost}
    if arguments is None:
        return cast("Callable[[F], F]", strawberry.field(description=description, metadata=metadata))
    gathered: Any = arguments

    def wrap(function: F) -> F:
        returned: Any = function.__annotations__["return"]

        async def called(self: Any, info: Info, **values: Any) -> returned:
            return await function(self, info, gathered(**values))

        made = strawberry.field(copy_name(called, function), description=description, metadata=metadata)
        made.arguments = [_argument(each) for each in fields(gathered)]
        return cast(F, made)

    return wrap


def _argument(part: Field[Any]) -> StrawberryArgument:
    required = part.default is MISSING
    return StrawberryArgument(
        part.name,
        None,
        StrawberryAnnotation(part.type),
        default=Parameter.empty if required else part.default,
    )


def copy_name(made: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives `made` the name, the module and the docstring of `function`. Returns `made`."""
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    return cast("Callable[..., Any]", made)


def mutation(description: str | None = None) -> Callable[[F], F]:
    """Makes a field of the Mutation type."""
    return cast("Callable[[F], F]", strawberry.mutation(description=description))


def subscription(description: str | None = None) -> Callable[[F], F]:
    """Makes a field of the Subscription type: its resolver returns an iterator of events."""
    return cast("Callable[[F], F]", strawberry.subscription(description=description))


def global_id(kind: str, id: UUID) -> ID:
    """Returns Relay's opaque id, made of the type's name and the row's id."""
    return ID(base64.urlsafe_b64encode(f"{kind}:{id}".encode()).decode().rstrip("="))


def parse_global_id(text: str) -> tuple[str, UUID] | None:
    """Returns the type and the row's id, or None if the text is not a global id."""
    try:
        kind, _, id = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
        return kind, UUID(id)
    except (ValueError, binascii.Error):
        return None


def local_id(text: str, kind: str) -> UUID:
    """Returns the row's id, given a global id of this type or a UUID. Raises BadRequest."""
    try:
        return UUID(text)
    except ValueError:
        parsed = parse_global_id(text)
    if parsed is None or parsed[0] != kind:
        raise BadRequest(f"{text[:64]!r} is not the id of a {kind}. Check the id.", code="bad_id")
    return parsed[1]


@strawberry.interface(description="An object that has a global id.")
class Node:
    id: ID = strawberry.field(
        description="global id (Relay): opaque and unique across all types; `node(id:)` accepts it"
    )

    @classmethod
    def resolve_type(cls, row: Any, *_: Any) -> str:
        return str(row.kind)


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A row with the type that its id names: the result of `node(id:)`."""

    kind: str
    row: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)


NEEDS = "needs"
"""This key of a field's metadata names the attributes of the row that its function reads; without it, all are read."""
COST = "cost"
"""This key of a field's metadata holds its `Cost`, if it has one."""
GLOBAL_ID = "global id"
"""This key of the metadata of a node's `id` names the type, which is part of the id."""
M = TypeVar("M", bound=BaseModel)


class NodeKind(NamedTuple):
    """Names how `node(id:)` reads an object of a type: by the operation of the type's own query, from the table."""

    read: Callable[[Context, UUID], Awaitable[Any]]
    table: str


NODES: dict[str, NodeKind] = {}
"""All types of nodes. If two types have their rows in one table, a `uuid` is tried as an id of the first type first."""


def node(
    kind: str,
    *,
    row: builtins.type[Base] | None = None,
    read: Callable[[Context, UUID], Awaitable[Any]] | None = None,
    name: str | None = None,
    description: str | None,
) -> Callable[[builtins.type[M]], builtins.type[M]]:
    """Makes a type with a global `id`, by which `node(id:)` finds it; `kind` is the type's name in the id.

    `read` is the operation that returns a `row` by its id. A second type with ids of the same kind has neither.
    """
    if row is not None and read is not None:
        NODES[kind] = NodeKind(read, row.__tablename__)

    def wrap(cls: builtins.type[M]) -> builtins.type[M]:
        def own_id(self: Any) -> ID:
            return global_id(kind, self.id)

        id_description = "global id (Relay): opaque and unique across all types; `node(id:)` accepts it"
        as_field = cast(Any, field)(
            own_id, name="id", description=id_description, metadata={NEEDS: ("id",), GLOBAL_ID: kind}
        )
        cls.global_id = as_field  # type: ignore[attr-defined]
        made = cast(Any, type(cls, name=name or kind, description=description))
        made.__strawberry_definition__.interfaces.append(cast(Any, Node).__strawberry_definition__)
        # Database rows are used directly, so their class does not tell which type they are.
        made.__strawberry_definition__.is_type_of = lambda *_: True
        made.__strawberry_definition__.node_kind = kind
        return cast("builtins.type[M]", made)

    return wrap


def computed(
    description: str, *needs: str, name: str | None = None, cost: Cost | None = None
) -> Callable[[F], F]:
    """Makes a field that is calculated from a row's attributes, `needs`."""
    metadata = {NEEDS: needs, COST: cost}
    return cast("Callable[[F], F]", cast(Any, field)(name=name, description=description, metadata=metadata))


def argument(description: str) -> Any:
    """Describes an argument: `phone: Annotated[str, argument("…")]`. `id` and `input` need no words."""
    return strawberry.argument(description=description)


OwnerId = Annotated[
    ID | None,
    argument("of this user alone; without it, administrators get that of all users"),
]
"""The owner that an administrator asks about."""


async def owned(info: Info, owner_id: ID | None) -> Context:
    """Returns the context of the owner that an administrator asks about; None: the request's own.

    Raises Forbidden, NotFound, BadRequest.
    """
    return await info.context.of_owner(None if owner_id is None else local_id(owner_id, "User"))


_DIGITS = re.compile(r"-?[0-9]{1,32}(\.[0-9]{1,32})?")


def _decimal(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise GraphQLError("a Decimal is a number, or a number as text")
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise GraphQLError(f"{value[:32]!r} is not a number; write it like 12.50")
    parsed = Decimal(str(value))
    if not parsed.is_finite():
        raise GraphQLError("a Decimal is finite")
    return parsed


def _instant(value: datetime) -> str:
    """Formats a time as REST does: UTC with `Z`."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _moment(value: Any) -> datetime:
    read: datetime = DateTimeDefinition.parse_value(value)  # type: ignore[misc]
    try:
        return in_calendar(read) if read.tzinfo else read
    except ValueError as error:
        raise GraphQLError(f"a DateTime {error}") from error


def _scalar(
    name: str, description: str, serialize: Callable[[Any], Any], parse: Callable[[Any], Any] | None
) -> Any:
    return scalar(name=name, description=description, serialize=serialize, parse_value=parse)


SCALARS: dict[object, Any] = {
    Decimal: _scalar(
        "Decimal",
        "A decimal number with up to 12 digits before and 6 digits after the decimal point.",
        float,
        _decimal,
    ),
    UUID: replace(UUIDDefinition, description="A UUID (RFC 9562), written as 8-4-4-4-12 hexadecimal digits."),
    datetime: _scalar("DateTime", "A time in ISO 8601, in UTC.", _instant, _moment),
}
