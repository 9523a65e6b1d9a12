"""Leaves as one list comprehension a selection, generated as Python and compiled.

What it writes is what graphql-core would: where a value is not plainly what its type says, it is coerced by the
type itself; where that can't be, or a value is missing, the whole comprehension raises, and `run.py` goes through
the leaves one by one to find out what is wrong with which. Names in the generated code are ours: response keys are
GraphQL names (spec §2.1.9, letters, digits and `_`), attributes come from our types.
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

from schema.graphql import SCALARS, global_id
from schema.plans.plan import Leaf, Selection, Writer

_NAMES = {SCALARS[kind].name: kind for kind in (UUID, Decimal, datetime)}
_SIMPLY: dict[Any, tuple[str, str]] = {UUID: ("str", "in uuids"), Decimal: ("float", "is Decimal")}
"""What those scalars do with a value, if it is of this class."""
_INT = 2**31


class Careful(Exception):
    """A value is not as its type has it: go through them one by one."""


class _Memo(dict[Any, str | None]):
    """Names of an enum's values, looked up once each. There are as many as the enum has, however often it is asked."""

    def __init__(self, named: GraphQLEnumType, *, nullable: bool) -> None:
        super().__init__({None: None} if nullable else {})
        self._coerce = named.coerce_output_value

    def __missing__(self, value: Any) -> str:
        if value is None:
            raise Careful
        name = self[value] = self._coerce(value)
        return name


def _strict(coerce: Any, *, nullable: bool) -> Any:
    """The type's own coercion, for what is not plainly of the type."""

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
    """For rows of the database, whose columns are items, and for anything that has attributes."""
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
    """When a value is the type's as it is: its class, and what else must hold."""
    if named is GraphQLString or named is GraphQLID:
        return "str"
    if named is GraphQLBoolean:
        return "bool"
    if named is GraphQLInt:
        return f"int and -{_INT} <= v < {_INT}"
    if named is GraphQLFloat:
        return "float and v - v == 0"
    if _NAMES.get(named.name) is datetime:
        return "datetime and v.tzinfo is UTC"  # orjson writes it as the scalar does
    return None
