"""What an operation costs: the objects that it asks for, if every list is as full as it may be.

An object is a JSON object of the answer below `data`: a connection is one, its `pageInfo` one, each of its `nodes`
one, each of its `edges` one and the `node` in it another. Scalars are free. Lists multiply:

- what takes `first` or `last` is as long as that says (100 at most), 20 without either: a connection's `edges` and
  `nodes` are as long as the connection;
- what takes `ids` is as long as those are many, statistics have as many intervals as their span touches;
- any other list is as long as schema/lengths.py says that it may be;
- a variable counts with its value; @skip and @include are believed.

So no answer has more than what was asked for. Each root field of a mutation costs ten more, for what it does, and so
does a number that is counted row by row (`totalCount`), once for each list that it is the number of. Introspection costs a hundred a root field, and a
twentieth of a point an object, which come out of memory. Nothing costs less than one.

An operation is walked once. What depends on variables is kept as a sum of products, mostly of one or two terms, so
that the price of a request is a handful of multiplications.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from graphql import (
    BooleanValueNode,
    DocumentNode,
    EnumValueNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    NullValueNode,
    OperationDefinitionNode,
    OperationType,
    SchemaMetaFieldDef,
    SelectionNode,
    SelectionSetNode,
    StringValueNode,
    TypeMetaFieldDef,
    ValueNode,
    VariableNode,
    get_named_type,
    value_from_ast_untyped,
)

from resolvers.intervals import MOST
from schema.lengths import COUNTS, LISTS, SPAN, intervals

LIST = 20  # of a connection that nobody says the length of
PAGE = 100  # the longest part of a connection
MUTATION = 10  # a root field
COUNT = 10  # a number that is counted
INTROSPECTION = 100  # a root field
_INTROSPECTED = 20  # of its objects cost a point
_FEW = 3  # fields of a type, arguments of a field …, on the average

_LENGTHS = ("first", "last")  # the first one that is given counts
_META = {"__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}

Values = Mapping[str, Any]
Shape = tuple[tuple[str, Any], ...]
"""The keys of an answer's object under which objects stand, each with the shape of those; of numbers that are counted,
with what they cost."""


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A variable that has no value yet: the worst is believed."""


_UNKNOWN = _Unknown()


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    default: Any = None

    def value(self, values: Values | None) -> Any:
        return _UNKNOWN if values is None else values.get(self.name, self.default)


@dataclass(frozen=True, slots=True)
class _Length:
    """How long a connection is: by the first of the arguments that has a value."""

    given: tuple[_Variable | int, ...]

    def times(self, values: Values | None) -> int:
        for one in self.given:
            value = one.value(values) if isinstance(one, _Variable) else one
            if value is None:
                continue
            return max(1, min(value, PAGE)) if type(value) is int else PAGE
        return LIST


@dataclass(frozen=True, slots=True)
class _Many:
    """As many as a variable lists."""

    ids: _Variable

    def times(self, values: Values | None) -> int:
        value = self.ids.value(values)
        if isinstance(value, _Unknown):
            return PAGE
        return (
            len(value) if isinstance(value, list | tuple) else 1
        )  # GraphQL takes one value for a list of one


@dataclass(frozen=True, slots=True)
class _Span:
    """As many intervals as there are between two moments."""

    interval: _Variable | str | None
    since: _Variable | str | None
    until: _Variable | str | None

    def times(self, values: Values | None) -> int:
        given = (self.interval, self.since, self.until)
        read = [one.value(values) if isinstance(one, _Variable) else one for one in given]
        return MOST if _UNKNOWN in read else intervals(*read)


@dataclass(frozen=True, slots=True)
class _If:
    """A field that is only there if a variable is so."""

    variable: _Variable
    wanted: bool

    def times(self, values: Values | None) -> int:
        return int(self.variable.value(values) is not (not self.wanted))


_Factor = _Length | _Many | _Span | _If
_Factors = tuple[_Factor, ...]


@dataclass(frozen=True, slots=True)
class Price:
    """Of one operation."""

    fixed: int
    varying: tuple[tuple[int, _Factors], ...]
    done: int
    """What is spent even if the answer is empty: mutations, introspection."""
    roots: int
    """Root fields, those of fragments too."""
    shape: Shape
    counts: Shape
    """The part of the shape that has numbers which are counted."""
    introspects: bool
    """It asks for nothing but the schema and `__typename`."""

    def requested(self, variables: Values | None) -> int:
        """Before it is run. `None`: nothing is known of the variables, and all lists may be full."""
        total = self.fixed
        for times, factors in self.varying:
            total += times * prod(factor.times(variables) for factor in factors)
        return max(1, total)

    def actual(self, data: Mapping[str, Any] | None) -> int:
        """By the answer. What a JSON scalar has inside is no object of ours."""
        return self.spent(objects(data, self.shape) if data else 0)

    def spent(self, points: int) -> int:
        """By what `objects` said of the answer."""
        return max(1, self.done + points)

    def counted(self, data: Mapping[str, Any] | None) -> int:
        """Points of the numbers in the answer that were counted, without its objects."""
        return _counted(data, self.counts) if data and self.counts else 0


def objects(data: Mapping[str, Any], shape: Shape) -> int:
    """Points: the objects below this one, and what was counted."""
    total = 0
    for key, inner in shape:
        value = data.get(key)
        if value is None:
            continue
        if type(inner) is int:
            total += inner
        elif type(value) is list:
            total += _in_list(value, inner)
        elif isinstance(value, dict):
            total += 1 + (objects(value, inner) if inner else 0)
    return total


def _in_list(items: list[Any], shape: Shape) -> int:
    if not shape and (not items or isinstance(items[0], dict)):
        return len(items) - items.count(None)
    total = 0
    for item in items:
        if isinstance(item, dict):
            total += 1 + objects(item, shape)
        elif isinstance(item, list):
            total += _in_list(item, shape)
    return total


def _counted(value: Any, counts: Shape) -> int:
    if isinstance(value, list):
        return sum(_counted(item, counts) for item in value)
    if not isinstance(value, dict):
        return 0
    total = 0
    for key, inner in counts:
        found = value.get(key)
        if found is not None:
            total += inner if type(inner) is int else _counted(found, inner)
    return total


def price(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> Price:
    """The document is valid, and bounded in its selections."""
    return _Walk(schema, document, operation).price()


@dataclass(slots=True)
class _Place:
    """Where selections stand."""

    kind: Any
    shape: dict[str, Any]
    times: int = 1
    factors: _Factors = ()
    length: _Factor | int | None = None  # of the lists right below, if this is a connection
    root: bool = False


@dataclass(slots=True)
class _Walk:
    schema: GraphQLSchema
    document: DocumentNode
    operation: OperationDefinitionNode
    terms: dict[_Factors, int] = field(default_factory=dict)
    done: int = 0
    roots: int = 0
    others: int = 0  # root fields that are no introspection
    fragments: dict[str, FragmentDefinitionNode] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)

    def price(self) -> Price:
        for node in self.document.definitions:
            if isinstance(node, FragmentDefinitionNode):
                self.fragments[node.name.value] = node
        for variable in self.operation.variable_definitions or ():
            if variable.default_value is not None:
                self.defaults[variable.variable.name.value] = value_from_ast_untyped(variable.default_value)
        kind = self.schema.get_root_type(self.operation.operation)
        shape: dict[str, Any] = {}
        self.selections(self.operation.selection_set, _Place(kind, shape, root=True))
        fixed = self.terms.pop((), 0) + self.done
        return Price(
            fixed,
            tuple((times, factors) for factors, times in self.terms.items()),
            self.done,
            self.roots,
            _frozen(shape),
            _counting(shape),
            introspects=not self.others,
        )

    def selections(self, selections: SelectionSetNode, place: _Place) -> None:
        for node in selections.selections:
            conditions = self.conditions(node)
            if conditions is None:
                continue
            factors = (*place.factors, *conditions) if conditions else place.factors
            if isinstance(node, FieldNode):
                self.field(node, place, factors)
                continue
            part: Any = self.fragments[node.name.value] if isinstance(node, FragmentSpreadNode) else node
            condition, inner = part.type_condition, part.selection_set
            kind = self.schema.get_type(condition.name.value) if condition else place.kind
            self.selections(
                inner, _Place(kind, place.shape, place.times, factors, place.length, root=place.root)
            )

    def field(self, node: FieldNode, place: _Place, factors: _Factors) -> None:
        name = node.name.value
        if place.root:
            self.roots += 1
            self.others += not name.startswith("__")
            if self.operation.operation is OperationType.MUTATION:
                self.done += MUTATION
        key = node.alias.value if node.alias else name
        if node.selection_set is None:
            if _is_counted(place.kind, name):
                place.shape[key] = COUNT
                self.terms[factors] = self.terms.get(factors, 0) + COUNT * place.times
            return
        if name in _META:
            asked = self.introspected(node.selection_set, _named(_META[name]))
            self.done += INTROSPECTION + asked // _INTROSPECTED
            return
        known = place.kind.fields.get(name) if _has_fields(place.kind) else None
        if known is None:
            return
        own = self.length(node, known)
        times = place.times
        if _is_list(known.type):
            # A list that takes a length itself is no connection: what stands in it is not as long.
            length, own = own or LISTS.get(f"{place.kind.name}.{name}") or place.length or LIST, None
            if isinstance(length, int):
                times *= length
            else:
                factors = (*factors, length)
        self.terms[factors] = self.terms.get(factors, 0) + times
        inner = place.shape.setdefault(key, {})
        self.selections(node.selection_set, _Place(_named(known), inner, times, factors, own))

    def length(self, node: FieldNode, known: GraphQLField) -> _Factor | int | None:
        """Of the connection or the statistics that this field opens, or of a list by `ids`; None where it doesn't say."""
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        if "ids" in known.args and "ids" in given:
            return self.many(given["ids"])
        if known.args.keys() >= SPAN:
            return _Span(*(self.word(given.get(name)) for name in ("interval", "dateFrom", "dateTo")))
        names = [name for name in _LENGTHS if name in known.args]
        if not names:
            return None
        length = _Length(tuple(one for name in names if name in given for one in self.number(given[name])))
        varies = any(isinstance(one, _Variable) for one in length.given)
        return length if varies else length.times({})

    def number(self, value: ValueNode) -> Iterable[_Variable | int]:
        match value:
            case VariableNode():
                yield self.variable(value)
            case IntValueNode():
                yield max(1, min(int(value.value), PAGE))
            case NullValueNode():
                pass

    def many(self, value: ValueNode) -> _Factor | int:
        if isinstance(value, VariableNode):
            return _Many(self.variable(value))
        return max(1, len(value.values)) if isinstance(value, ListValueNode) else 1

    def word(self, value: ValueNode | None) -> _Variable | str | None:
        match value:
            case VariableNode():
                return self.variable(value)
            case EnumValueNode() | StringValueNode():
                return value.value
        return None

    def variable(self, node: VariableNode) -> _Variable:
        name = node.name.value
        default = self.defaults.get(name)
        return _Variable(name, tuple(map(str, default)) if isinstance(default, list) else default)

    def conditions(self, node: SelectionNode) -> _Factors | None:
        """What @skip and @include make of it; None if it is never there."""
        found: list[_Factor] = []
        for directive in node.directives or ():
            wanted = directive.name.value == "include"
            if not wanted and directive.name.value != "skip":
                continue
            for argument in directive.arguments or ():
                if isinstance(argument.value, VariableNode):
                    found.append(_If(self.variable(argument.value), wanted))
                elif isinstance(argument.value, BooleanValueNode) and argument.value.value is not wanted:
                    return None
        return tuple(found)

    def introspected(self, selections: SelectionSetNode, kind: Any) -> int:
        """Objects, about: how many there really are depends on the schema, and is the same for everybody."""
        total = 0
        for node in selections.selections:
            if isinstance(node, FragmentSpreadNode):
                total += self.introspected(self.fragments[node.name.value].selection_set, kind)
            elif isinstance(node, InlineFragmentNode):
                total += self.introspected(node.selection_set, kind)
            elif isinstance(node, FieldNode) and node.selection_set is not None:
                known = kind.fields.get(node.name.value)
                if known is None:
                    continue
                times = 1
                if _is_list(known.type):
                    times = len(self.schema.type_map) if node.name.value == "types" else _FEW
                total += times * (1 + self.introspected(node.selection_set, _named(known)))
        return total


def _frozen(shape: dict[str, Any]) -> Shape:
    return tuple((key, inner if type(inner) is int else _frozen(inner)) for key, inner in shape.items())


def _counting(shape: dict[str, Any]) -> Shape:
    found = ((key, inner if type(inner) is int else _counting(inner)) for key, inner in shape.items())
    return tuple((key, inner) for key, inner in found if inner)


def _is_counted(kind: Any, name: str) -> bool:
    if name == "totalCount":
        return "pageInfo" in getattr(kind, "fields", ())
    return f"{kind.name}.{name}" in COUNTS


def _named(known: GraphQLField) -> Any:
    return get_named_type(known.type)


def _has_fields(kind: Any) -> bool:
    return isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)


def _is_list(kind: Any) -> bool:
    return isinstance(kind.of_type if isinstance(kind, GraphQLNonNull) else kind, GraphQLList)
