"""Calculates what an operation costs: the objects that it requests, if every list is full.

An object is a JSON object below `data` in the response: a connection is one, its `pageInfo` is one, each of its `nodes`
is one, and each of its `edges` is one, with the `node` in it as another. Scalars are free. Lists multiply:

- a field with `first` or `last` has as many items as that says (100 at most), 20 without either; the `edges` and
  `nodes` of a connection are as long as the connection;
- a field with `ids` or `inputs` has as many items as there are of these, and statistics have as many intervals as
  their time span;
- any other list has the maximum length that its field declares, by `Cost` in shapes/shape.py;
- a variable counts with its value, and @skip and @include are honoured.

So no response has more objects than were requested. Each root field of a mutation costs ten more, for its work, and so
does a number that is counted row by row (`totalCount`), once for each list. The plan of a project costs a hundred
more, because texts are rendered for it; so does the preview of a list, and a point for each 64 KiB that are read for
it. Introspection costs a hundred a root field, and a fourteenth of a point an object, as it reads only memory. Nothing
costs less than one.

An operation is analysed once. What depends on variables is kept as a sum of products, mostly of one or two terms, so
that the cost of a request takes only a few multiplications.
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

from schema.frame.cost_factors import LIST, PAGE, Factor, Factors, If, Length, Many, Span, Values, Variable
from schema.frame.list_limits import SPAN, cost_of

MUTATION = 10  # a root field
COUNT = 10  # a number that is counted
INTROSPECTION = 100  # a root field
_INTROSPECTED = 14  # of its objects cost a point: that of the whole schema takes half of what a request has
WRAPPERS = 3  # around a type at most: [T!]!
_FEW = 3  # the assumed number of fields of a type, arguments of a field, and so on

_LENGTH_ARGUMENTS = ("first", "last")  # the first one with a value counts
_META = {"__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}

Shape = tuple[tuple[str, Any], ...]
"""The keys of a response object whose values are objects, each with the shape of those; for numbers that are
counted, their cost."""


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of one operation."""

    fixed: int
    varying: tuple[tuple[int, Factors], ...]
    done: int
    """This is charged even if the response is empty: for mutations and introspection."""
    roots: int
    """The number of root fields, including those in fragments."""
    shape: Shape
    counts: Shape
    """The part of the shape with numbers that are counted."""
    introspects: bool
    """True if it requests only the schema and `__typename`."""

    def requested(self, variables: Values | None) -> int:
        """Returns the cost before it runs. `None`: no variable is known, and all lists may be full."""
        total = self.fixed
        for times, factors in self.varying:
            total += times * prod(factor.times(variables) for factor in factors)
        return max(1, total)

    def actual(self, data: Mapping[str, Any] | None) -> int:
        """Returns the cost by the response. What a JSON scalar contains does not count."""
        return self.spent(objects(data, self.shape) if data else 0)

    def spent(self, points: int) -> int:
        """Returns the cost, given the points that `objects` has counted."""
        return max(1, self.done + points)

    def counted(self, data: Mapping[str, Any] | None) -> int:
        """Returns the points of the counted numbers in the response, without its objects."""
        return _counted(data, self.counts) if data and self.counts else 0


def objects(data: Mapping[str, Any], shape: Shape) -> int:
    """Returns the points of a response: the objects below this one, and the numbers that were counted."""
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
        child = value.get(key)
        if child is not None:
            total += inner if type(inner) is int else _counted(child, inner)
    return total


def price(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> Price:
    """Returns the cost of an operation, whose document must be valid and within the bounds of its selections."""
    return _Walk(schema, document, operation).price()


@dataclass(slots=True)
class _Position:
    """The position of a selection set: its type, and how often it occurs."""

    kind: Any
    shape: dict[str, Any]
    times: int = 1
    factors: Factors = ()
    length: Factor | int | None = None  # of the lists directly below, if this is a connection
    root: bool = False


@dataclass(slots=True)
class _Walk:
    schema: GraphQLSchema
    document: DocumentNode
    operation: OperationDefinitionNode
    terms: dict[Factors, int] = field(default_factory=dict)
    done: int = 0
    roots: int = 0
    others: int = 0  # root fields other than introspection
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
        self.selections(self.operation.selection_set, _Position(kind, shape, root=True))
        fixed = self.terms.pop((), 0) + self.done
        return Price(
            fixed,
            tuple((times, factors) for factors, times in self.terms.items()),
            self.done,
            self.roots,
            _as_shape(shape),
            _counting(shape),
            introspects=not self.others,
        )

    def selections(self, selections: SelectionSetNode, position: _Position) -> None:
        for node in selections.selections:
            conditions = self.conditions(node)
            if conditions is None:
                continue
            factors = (*position.factors, *conditions) if conditions else position.factors
            if isinstance(node, FieldNode):
                self.field(node, position, factors)
                continue
            part: Any = self.fragments[node.name.value] if isinstance(node, FragmentSpreadNode) else node
            condition, inner = part.type_condition, part.selection_set
            kind = self.schema.get_type(condition.name.value) if condition else position.kind
            self.selections(
                inner,
                _Position(kind, position.shape, position.times, factors, position.length, root=position.root),
            )

    def field(self, node: FieldNode, position: _Position, factors: Factors) -> None:
        name = node.name.value
        if position.root:
            self.roots += 1
            self.others += not name.startswith("__")
            if self.operation.operation is OperationType.MUTATION:
                self.done += MUTATION
        key = node.alias.value if node.alias else name
        if node.selection_set is None:
            if _is_counted(position.kind, name):
                position.shape[key] = COUNT
                self.terms[factors] = self.terms.get(factors, 0) + COUNT * position.times
            return
        if name in _META:
            asked = self.introspected(node.selection_set, _named_type(_META[name]))
            self.done += INTROSPECTION + asked // _INTROSPECTED
            return
        definition = position.kind.fields.get(name) if _has_fields(position.kind) else None
        if definition is None:
            return
        declared = cost_of(definition)
        self.done += declared.work
        own = self.length(node, definition)
        times = position.times
        if _is_list(definition.type):
            # A list with a length argument of its own is not a connection: lists inside it do not have that length.
            length, own = own or declared.most or position.length or LIST, None
            if isinstance(length, int):
                times *= length
            else:
                factors = (*factors, length)
        self.terms[factors] = self.terms.get(factors, 0) + times
        inner = position.shape.setdefault(key, {})
        self.selections(node.selection_set, _Position(_named_type(definition), inner, times, factors, own))

    def length(self, node: FieldNode, definition: GraphQLField) -> Factor | int | None:
        """Returns the length that the arguments set for a connection, statistics, or a list by `ids` or `inputs`; None
        if none.
        """
        arguments = {argument.name.value: argument.value for argument in node.arguments or ()}
        if "ids" in definition.args and "ids" in arguments:
            return self.many(arguments["ids"])
        if "inputs" in definition.args and "inputs" in arguments:
            return self.many(arguments["inputs"])
        if definition.args.keys() >= SPAN:
            return Span(*(self.text(arguments.get(name)) for name in ("interval", "dateFrom", "dateTo")))
        names = [name for name in _LENGTH_ARGUMENTS if name in definition.args]
        if not names:
            return None
        length = Length(
            tuple(value for name in names if name in arguments for value in self.number(arguments[name]))
        )
        varies = any(isinstance(value, Variable) for value in length.arguments)
        return length if varies else length.times({})

    def number(self, value: ValueNode) -> Iterable[Variable | int]:
        match value:
            case VariableNode():
                yield self.variable(value)
            case IntValueNode():
                yield max(1, min(int(value.value), PAGE))
            case NullValueNode():
                pass

    def many(self, value: ValueNode) -> Factor | int:
        if isinstance(value, VariableNode):
            return Many(self.variable(value))
        return max(1, len(value.values)) if isinstance(value, ListValueNode) else 1

    def text(self, value: ValueNode | None) -> Variable | str | None:
        match value:
            case VariableNode():
                return self.variable(value)
            case EnumValueNode() | StringValueNode():
                return value.value
        return None

    def variable(self, node: VariableNode) -> Variable:
        name = node.name.value
        default = self.defaults.get(name)
        return Variable(name, tuple(map(str, default)) if isinstance(default, list) else default)

    def conditions(self, node: SelectionNode) -> Factors | None:
        """Returns the factors of @skip and @include, or None if the field is never present."""
        factors: list[Factor] = []
        for directive in node.directives or ():
            expected = directive.name.value == "include"
            if not expected and directive.name.value != "skip":
                continue
            for argument in directive.arguments or ():
                if isinstance(argument.value, VariableNode):
                    factors.append(If(self.variable(argument.value), expected))
                elif isinstance(argument.value, BooleanValueNode) and argument.value.value is not expected:
                    return None
        return tuple(factors)

    def introspected(self, selections: SelectionSetNode, kind: Any, unwrapped: int = 0) -> int:
        """Estimates the number of objects: the real one depends on the schema, and is the same for every caller.

        `unwrapped` is how many `ofType` lead here. Beyond the last wrapper they are null.
        """
        total = 0
        for node in selections.selections:
            if isinstance(node, FragmentSpreadNode):
                total += self.introspected(self.fragments[node.name.value].selection_set, kind, unwrapped)
            elif isinstance(node, InlineFragmentNode):
                total += self.introspected(node.selection_set, kind, unwrapped)
            elif isinstance(node, FieldNode) and node.selection_set is not None:
                definition = kind.fields.get(node.name.value)
                inner = unwrapped + 1 if node.name.value == "ofType" else 0
                if definition is None or inner > WRAPPERS:
                    continue
                times = 1
                if _is_list(definition.type):
                    times = len(self.schema.type_map) if node.name.value == "types" else _FEW
                below = self.introspected(node.selection_set, _named_type(definition), inner)
                total += times * (1 + below)
        return total


def _as_shape(shape: dict[str, Any]) -> Shape:
    return tuple((key, inner if type(inner) is int else _as_shape(inner)) for key, inner in shape.items())


def _counting(shape: dict[str, Any]) -> Shape:
    counts = ((key, inner if type(inner) is int else _counting(inner)) for key, inner in shape.items())
    return tuple((key, inner) for key, inner in counts if inner)


def _is_counted(kind: Any, name: str) -> bool:
    if name == "totalCount":
        return "pageInfo" in getattr(kind, "fields", ())
    return cost_of(getattr(kind, "fields", {}).get(name)).counted


def _named_type(definition: GraphQLField) -> Any:
    return get_named_type(definition.type)


def _has_fields(kind: Any) -> bool:
    return isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)


def _is_list(kind: Any) -> bool:
    return isinstance(kind.of_type if isinstance(kind, GraphQLNonNull) else kind, GraphQLList)
