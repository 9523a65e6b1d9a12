"""Writes the leaves of a selection as one list comprehension, generated as Python and compiled.

Its output is that of graphql-core: a value that is not exactly of its type's class is coerced by the type itself. If
that fails, or a value is missing, the whole comprehension raises, and `run.py` goes through the leaves one by one to
find the error. No text of a caller gets into the code: response keys are GraphQL names (spec §2.1.9: letters, digits
and `_`), and attributes come from our types.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from asyncpg.pgproto.pgproto import UUID as PostgresUUID  # noqa: N811  a class, whatever asyncpg writes
from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLFloat,
    GraphQLID,
    GraphQLInt,
    GraphQLString,
)

from schema.frame.graphql import SCALARS, global_id
from schema.plans.plan import Leaf, Selection, Writer

_NAMES = {SCALARS[kind].name: kind for kind in (UUID, Decimal, datetime)}
_SIMPLY: dict[Any, tuple[str, str]] = {UUID: ("str", "in uuids"), Decimal: ("float", "is Decimal")}
"""How those scalars convert a value that is of this class."""
_INT = 2**31


class Careful(Exception):
    """A value is not as its type requires: the leaves must be processed one by one."""


class _Memo(dict[Any, str | None]):
    """The names of an enum's values, each looked up once. It has at most as many entries as the enum."""

    def __init__(self, named: GraphQLEnumType, *, nullable: bool) -> None:
        super().__init__({None: None} if nullable else {})
        self._coerce = named.coerce_output_value

    def __missing__(self, value: Any) -> str:
        if value is None:
            raise Careful
        name = self[value] = self._coerce(value)
        return name


def _strict(coerce: Any, *, nullable: bool) -> Any:
    """Returns the type's own coercion, for values that are not exactly of its class."""

    def strict(value: Any) -> Any:
        if value is None:
            if nullable:
                return None
            raise Careful
        if isinstance(value, Exception):
            raise value
        coerced = coerce(value)
        if coerced is None:
            raise Careful
        return coerced

    return strict


_KNOWN: dict[str, Any] = {
    "datetime": datetime,
    "Decimal": Decimal,
    "UTC": UTC,
    "global_id": global_id,
    "uuids": frozenset((UUID, PostgresUUID)),
}


def writers(selection: Selection) -> tuple[Writer, Writer]:
    """Returns two functions: for database rows, whose columns are items, and for objects with attributes."""
    return _writer(selection, "{row}[{name!r}]"), _writer(selection, "{row}.{name}")


def _writer(selection: Selection, access: str) -> Writer:
    known = {**_KNOWN}
    leaves = {leaf.key: leaf for leaf in selection.leaves}
    parts = []
    for place, key in enumerate(selection.keys):
        leaf = leaves.get(key)
        said = "None" if leaf is None else _expression(leaf, access, str(place), known)
        parts.append(f"{key!r}: {said}")
    row = "row" if any("row" in part.partition(":")[2] for part in parts) else "_"
    source = f"def write(rows):\n    return [{{{', '.join(parts)}}} for {row} in rows]\n"
    exec(compile(source, f"<plan of {selection.kind}>", "exec"), known)  # noqa: S102  see above
    writer: Writer = known["write"]
    return writer


def _expression(leaf: Leaf, access: str, place: str, known: dict[str, Any]) -> str:
    if leaf.constant is not None:
        return repr(leaf.constant)
    value = access.format(row="row", name=leaf.attribute)
    if leaf.prefix is not None:
        return f"global_id({leaf.prefix!r}, {value})"
    if isinstance(leaf.named, GraphQLEnumType):
        known[f"m{place}"] = _Memo(leaf.named, nullable=leaf.nullable)
        return f"m{place}[{value}]"
    known[f"c{place}"] = _strict(leaf.coerce, nullable=leaf.nullable)
    if (simply := _SIMPLY.get(_NAMES.get(leaf.named.name))) is not None:
        call, kind = simply
        return f"{call}(v) if (v := {value}).__class__ {kind} else c{place}(v)"
    plainly = _plainly(leaf.named)
    if plainly is None:
        return f"c{place}({value})"
    null = " or v is None" if leaf.nullable else ""
    return f"v if (v := {value}).__class__ is {plainly}{null} else c{place}(v)"


def _plainly(named: Any) -> str | None:
    """Returns the class, and the further condition, of values that need no coercion."""
    if named is GraphQLString or named is GraphQLID:
        return "str"
    if named is GraphQLBoolean:
        return "bool"
    if named is GraphQLInt:
        return f"int and -{_INT} <= v < {_INT}"
    if named is GraphQLFloat:
        return "float and v - v == 0"
    if _NAMES.get(named.name) is datetime:
        return "datetime and v.tzinfo is UTC"  # orjson writes it like the scalar
    return None
