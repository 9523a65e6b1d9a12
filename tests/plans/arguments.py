"""Generates the arguments of documents: literals, variables, and the variables' values."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_required_argument,
    is_required_input_field,
    parse_const_value,
)
from graphql.validation.rules.variables_in_allowed_position import allowed_variable_usage
from hypothesis import strategies as st

T = TypeVar("T")
Pool = Mapping[str, Sequence[Any]]
"""Real values: under `Type.field(argument:)` or `Input.field`; of `id` and `ids` under the name of the type that the
field gives (`Account`); else under the argument's name, else the scalar's."""

NOBODY = "00000000-0000-7000-8000-000000000000"
WRONG_IDS = (NOBODY, "", "nothing", "QWNjb3VudDowMDAwMDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDA", "é", "7")
TEXTS = ("a", "", "null", 'say "hi"\\', "日本語 😀", "two\nlines", "$a", "{ me }", "true")
SCALARS: dict[str, Sequence[Any]] = {
    "String": TEXTS,
    "Int": (1, 2, 3, 5, 0, -1, 20, 100, 101, 2**31 - 1, -(2**31)),
    "Float": (1, 0.5, -2.25, 1e3, 0),
    "Boolean": (True, False),
    "UUID": (NOBODY, "0192A3B4-c5d6-7e7f-8081-828384858687"),
    "DateTime": ("2026-11-20T13:00:00Z", "2020-02-29T23:59:59.999999+05:30"),
    "Date": ("2026-11-20",),
    "Decimal": (1, "2.50", 0.000001, "-3"),
    "JSON": ({}, [], 1, "a", True, {"a": {"b": [None, 1.5, "c"]}}),
}
LENGTHS = {"first", "last", "limit", "page"}
"""Arguments that say how much: mostly a little, so that a document is no more than it may be."""


class Enum(str):
    """An enum's value: a name as a literal, text as a variable's value."""

    __slots__ = ()


@dataclass(frozen=True)
class Variable:
    """A use of a variable inside a literal."""

    name: str


@dataclass
class Defined:
    """A variable: its type, its default as text, what is sent for it (Undefined: nothing)."""

    name: str
    type: GraphQLInputType
    default: str | None
    value: Any

    def __str__(self) -> str:
        return f"${self.name}: {self.type}" + (f" = {self.default}" if self.default is not None else "")


@dataclass
class Place:
    """Describes where a value stands: its type, its default, and the names under which the pool may have values for
    it.
    """

    type: GraphQLInputType
    default: Any
    names: tuple[str, ...]
    one_of: bool = False


@dataclass
class Values:
    schema: GraphQLSchema
    pool: Pool
    draw: Callable[[st.SearchStrategy[Any]], Any]
    most_variables: int = 8
    defined: list[Defined] = dataclasses.field(default_factory=list)

    def chance(self, one_in: int) -> bool:
        """Shrinks to no."""
        return bool(self.draw(st.integers(0, one_in - 1)) == one_in - 1)

    def pick(self, choices: Sequence[T]) -> T:
        """Shrinks to the first."""
        return choices[self.draw(st.integers(0, len(choices) - 1))]

    def arguments(self, parent: str, name: str, field: GraphQLField) -> dict[str, tuple[str, set[str]]]:
        """Name to literal and the variables in it. All that must be given are, others now and then."""
        arguments: dict[str, tuple[str, set[str]]] = {}
        for key, argument in field.args.items():
            if not is_required_argument(argument) and (
                self.pick((1, 2, 3)) != 3 or not self.can(argument.type)
            ):
                continue
            given_type = (get_named_type(field.type).name,) if key in ("id", "ids") else ()
            names = (f"{parent}.{name}({key}:)", *given_type, key)
            value = self.value(Place(argument.type, default_of(argument), names), variables=True)
            arguments[key] = literal(value), uses(value)
        return arguments

    def condition(self, directive: str) -> tuple[str, set[str]]:
        """`@skip(if: …)` or `@include(if: …)`."""
        place = Place(GraphQLNonNull(self.schema.type_map["Boolean"]), Undefined, ("if",))  # type: ignore[arg-type]
        value = self.value(place, variables=True)
        return f"@{directive}(if: {literal(value)})", uses(value)

    def can(self, type: GraphQLInputType) -> bool:
        """Returns whether there are values of that type."""
        named = get_named_type(type)
        if isinstance(named, GraphQLInputObjectType):
            return all(self.can(f.type) for f in named.fields.values() if is_required_input_field(f))
        return isinstance(named, GraphQLEnumType) or named.name == "ID" or named.name in SCALARS

    def value(self, place: Place, *, variables: bool, depth: int = 0) -> Any:
        """A value for a literal; `variables`: or a variable."""
        if variables and self.chance(3) and (defined := self._variable(place)) is not None:
            return Variable(defined.name)
        kind = place.type
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        elif not place.one_of and self.chance(8):
            return None
        if isinstance(kind, GraphQLList):
            item = Place(kind.of_type, Undefined, place.names)
            if not isinstance(get_named_type(kind), GraphQLScalarType) or not self.chance(6):
                return [
                    self.value(item, variables=variables, depth=depth)
                    for _ in range(self.draw(st.integers(0 if depth else 1, 3)))
                ]
            # One value stands for a list of it (GraphQL §3.11, input coercion).
            return self._scalar(get_named_type(kind), place.names)
        if isinstance(kind, GraphQLInputObjectType):
            return self._object(kind, variables=variables, depth=depth)
        if isinstance(kind, GraphQLEnumType):
            return Enum(self.pick(list(kind.values)))
        return self._scalar(kind, place.names)

    def _object(self, kind: GraphQLInputObjectType, *, variables: bool, depth: int) -> dict[str, Any]:
        fields = {name: inner for name, inner in kind.fields.items() if self.can(inner.type)}
        if kind.is_one_of:
            chosen = [self.pick(list(fields))]
        else:
            chosen = [
                name
                for name, inner in fields.items()
                if is_required_input_field(inner) or (depth < 2 and self.chance(4))
            ]
        return {
            name: self.value(
                Place(
                    fields[name].type,
                    default_of(fields[name]),
                    (f"{kind.name}.{name}", name),
                    one_of=kind.is_one_of,
                ),
                variables=variables,
                depth=depth + 1,
            )
            for name in chosen
        }

    def _scalar(self, kind: Any, names: tuple[str, ...]) -> Any:
        own = next((values for name in (*names, kind.name) if (values := self.pool.get(name))), ())
        if kind.name == "ID":
            others = sorted({str(id) for ids in self.pool.values() for id in ids if isinstance(id, str)})
            choices = self.pick((own, own, own, own, own, others, WRONG_IDS))
            return self.pick(choices or WRONG_IDS)
        if kind.name == "Int" and names[-1] in LENGTHS and not self.chance(8):
            return self.pick((1, 2, 3, 5))
        return self.pick(own if own and not self.chance(6) else SCALARS[kind.name])

    def _variable(self, place: Place) -> Defined | None:
        """Returns a variable that may stand here, one that exists or a new one, or None."""
        fitting = [variable for variable in self.defined if self._fits(variable, place)]
        if fitting and self.chance(2):
            return self.pick(fitting)
        if len(self.defined) == self.most_variables:
            return None
        kind, default = place.type, None
        bare: Any = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
        way = self.pick(("as it is", "never null", "with a default", "nullable"))
        if way == "never null" or place.one_of:
            kind = GraphQLNonNull(bare)
        elif way == "nullable" and (bare is kind or place.default is not Undefined):
            kind = bare
        elif way == "with a default":
            kind = bare if self.chance(2) else kind
            default = literal(self._const(GraphQLNonNull(bare), place))
        name = f"v{len(self.defined)}"
        value = Undefined
        if default is None or self.chance(2):
            value = plain(self._const(kind, place))
        may_miss = default is not None or not isinstance(kind, GraphQLNonNull)
        if may_miss and self.chance(5):
            value = Undefined
        if value is None and isinstance(bare, GraphQLScalarType) and bare.name == "Boolean" and default:
            value = Undefined  # null for @skip's condition is a fault of its own
        made = Defined(name, kind, default, value)
        assert self._fits(made, place), (str(made), str(place.type))
        self.defined.append(made)
        return made

    def _const(self, kind: GraphQLInputType, place: Place) -> Any:
        return self.value(Place(kind, Undefined, place.names), variables=False)

    def _fits(self, variable: Defined, place: Place) -> bool:
        if place.one_of and not isinstance(variable.type, GraphQLNonNull):
            return False
        default = parse_const_value(variable.default) if variable.default is not None else None
        return allowed_variable_usage(self.schema, variable.type, default, place.type, place.default)


def default_of(argument: GraphQLArgument | GraphQLInputField) -> Any:
    """Undefined: it has none. A schema that was read and one that was built keep it in places of their own."""
    return argument.default_value if argument.default is None else argument.default


def uses(value: Any) -> set[str]:
    """The names of the variables in it."""
    if isinstance(value, Variable):
        return {value.name}
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {name for item in inside for name in uses(item)}


def literal(value: Any) -> str:
    match value:
        case Variable(name):
            return f"${name}"
        case Enum():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{key}: {literal(inner)}" for key, inner in value.items()) + "}"
        case list():
            return f"[{', '.join(map(literal, value))}]"
    return json.dumps(value, ensure_ascii=False)


def plain(value: Any) -> Any:
    """Returns a value as JSON of a variable. It holds no variables."""
    match value:
        case Enum():
            return str(value)
        case dict():
            return {key: plain(inner) for key, inner in value.items()}
        case list():
            return [plain(inner) for inner in value]
    return value
