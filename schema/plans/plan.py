"""The data of a plan: selections of fields, with everything that is known before there is a row."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from graphql import FieldNode, GraphQLField


@dataclass(slots=True)
class Shape:
    """The shape of a field's result: a value or a list, and which of them may be null."""

    nullable: bool
    item_nullable: bool | None = None  # None: no list

    @property
    def is_list(self) -> bool:
        return self.item_nullable is not None


@dataclass(slots=True)
class Field:
    """A field that is not a plain leaf: it calls a function, or has fields of its own."""

    key: str
    nodes: list[FieldNode]
    parent: str  # the type that it is a field of
    graphql: GraphQLField
    shape: Shape
    arguments: Callable[[Any, Any], dict[str, Any]] | None
    attribute: str
    batch: Callable[..., Any] | None = None  # for all rows at once
    call: Callable[..., Any] | None = None  # called for each row
    waits: bool = False  # whether the call is a coroutine
    takes_self: bool = True
    takes_info: bool = False
    coerce: Callable[[Any], Any] | None = None  # of a leaf
    selection: "Selection | None" = None  # of an object
    columns: frozenset[str] | None = None  # attributes that are read of the result's rows; None: all
    slow: bool = False  # whether it, or something below it, waits


@dataclass(slots=True)
class Leaf:
    """A plain attribute of the row, the name of a type, or a global id."""

    key: str
    nodes: list[FieldNode]
    parent: str
    name: str
    nullable: bool
    attribute: str | None = None
    coerce: Callable[[Any], Any] | None = None
    leaf_type: Any = None
    constant: str | None = None
    prefix: str | None = None  # of a global id


Writer = Callable[[list[Any]], list[dict[str, Any]]]


@dataclass(slots=True)
class Selection:
    """The fields of one type at one place of the document."""

    kind: str
    keys: list[str] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    of_rows: Writer | None = None  # writes the leaves of database rows
    of_objects: Writer | None = None  # writes the leaves of any other objects

    @property
    def size(self) -> int:
        """Returns the number of fields, with those below."""
        return len(self.keys) + sum(
            field.selection.size for field in self.fields if field.selection is not None
        )
