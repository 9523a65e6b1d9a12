"""Compiles a document to a plan."""

from collections.abc import Mapping
from typing import Any, NoReturn, cast

import strawberry
from graphql import (
    FragmentDefinitionNode,
    GraphQLField,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.execution.collect_fields import FragmentDetails, collect_fields, collect_subfields
from graphql.execution.values import VariableValues, get_argument_values
from graphql.language import Visitor, visit
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField
from strawberry.utils.str_converters import to_camel_case

from schema.frame.connections import Connection, Edge
from schema.frame.graphql import GLOBAL_ID, NEEDS
from schema.frame.loaders import BATCH
from schema.plans.leaves import writers
from schema.plans.plan import Field, Leaf, Selection, Shape


class Unsupported(Exception):
    """The fast path can't run this; graphql-core must execute it."""


def _unsupported(what: str) -> NoReturn:
    raise Unsupported(what)


class Compiler:
    """Compiles one operation, for one combination of @skip and @include."""

    def __init__(
        self,
        schema: strawberry.Schema,
        operation: OperationDefinitionNode,
        fragments: Mapping[str, FragmentDefinitionNode],
        variables: VariableValues,
    ) -> None:
        self._strawberry = schema
        self._schema: GraphQLSchema = schema._schema  # noqa: SLF001
        self._operation = operation
        self._fragments = {name: FragmentDetails(node) for name, node in fragments.items()}
        self._variables = variables

    def root(self) -> Selection:
        """Returns the plan. Raises Unsupported."""
        query = self._schema.query_type
        assert query is not None
        collected = collect_fields(self._schema, self._fragments, self._variables, query, self._operation)
        return self._selection(query, collected.grouped_field_set)

    def _selection(self, kind: GraphQLObjectType, grouped: Mapping[str, list[Any]]) -> Selection:
        self._check_type(kind)
        made = Selection(kind.name)
        for key, details in grouped.items():
            nodes = [detail.node for detail in details]
            name = nodes[0].name.value
            made.keys.append(key)
            if name == "__typename":
                made.leaves.append(Leaf(key, nodes, kind.name, name, False, constant=kind.name))
                continue
            field = kind.fields.get(name) or _unsupported("introspection")
            self._add(made, kind, key, nodes, field, details)
        made.of_rows, made.of_objects = writers(made)
        return made

    def _check_type(self, kind: GraphQLObjectType) -> None:
        definition = kind.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if kind.is_type_of is not None and getattr(definition, "node_kind", None) is None:
            _unsupported("a type that tells its objects apart")

    def _add(
        self,
        made: Selection,
        kind: GraphQLObjectType,
        key: str,
        nodes: list[Any],
        field: GraphQLField,
        details: list[Any],
    ) -> None:
        own: StrawberryField = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        if own.extensions or own.permission_classes:
            _unsupported("an extension of a field")
        inner_type, shape = get_named_type(field.type), _shape(field.type)
        leaf = is_leaf_type(inner_type)
        coerce = cast(Any, inner_type).coerce_output_value if leaf else None
        prefix = own.metadata.get(GLOBAL_ID)
        if leaf and not shape.is_list and (own.base_resolver is None or prefix is not None):
            attribute = "id" if prefix is not None else own.python_name
            made.leaves.append(
                Leaf(
                    key,
                    nodes,
                    kind.name,
                    own.python_name,
                    shape.nullable,
                    attribute,
                    coerce,
                    inner_type,
                    None,
                    prefix,
                )
            )
            return
        compiled = Field(
            key,
            nodes,
            kind.name,
            field,
            shape,
            self._arguments(own, field, nodes[0]),
            own.python_name,
            coerce=coerce,
        )
        if (resolver := own.base_resolver) is not None:
            compiled.batch = own.metadata.get(BATCH)
            compiled.call, compiled.waits = resolver, resolver.is_async
            compiled.takes_self = resolver.self_parameter is not None
            compiled.takes_info = resolver.info_parameter is not None
            if resolver.root_parameter or resolver.parent_parameter:
                _unsupported("a resolver that asks for the root")
        if not leaf:
            if not isinstance(inner_type, GraphQLObjectType):
                _unsupported("an abstract type")
            below = collect_subfields(
                self._schema, self._fragments, self._variables, self._operation, inner_type, details
            )
            compiled.selection = self._selection(inner_type, below.grouped_field_set)
            compiled.columns = _columns(compiled.selection, inner_type)
        compiled.slow = compiled.waits or (
            compiled.selection is not None and any(f.slow for f in compiled.selection.fields)
        )
        made.fields.append(compiled)

    def _arguments(self, own: StrawberryField, field: GraphQLField, node: Any) -> Any:
        """Returns a function of (variables, info) that gives the arguments; without variables they are made once."""
        if not field.args:
            return None
        registry = self._strawberry.schema_converter.scalar_registry
        config = self._strawberry.config

        def arguments(variables: Any, info: Any) -> dict[str, Any]:
            values = get_argument_values(field, node, variables)
            return convert_arguments(values, own.arguments, registry, config, info)

        if _has_variables(node):
            return _passed_on(own, field, node, arguments)
        constant: list[dict[str, Any]] = []

        def once(variables: Any, info: Any) -> dict[str, Any]:
            if not constant:
                constant.append(arguments(variables, info))
            return constant[0]

        return once


def _passed_on(own: StrawberryField, field: GraphQLField, node: Any, arguments: Any) -> Any:
    """Returns a shortcut if all arguments are variables that are passed on unchanged: scalars and enums."""
    names = {
        argument.graphql_name or to_camel_case(argument.python_name): argument for argument in own.arguments
    }
    pairs = []
    for argument in node.arguments:
        name = argument.name.value
        plainly = is_leaf_type(get_nullable_type(field.args[name].type))
        if not plainly or not isinstance(argument.value, VariableNode) or name not in names:
            return arguments
        pairs.append((names[name].python_name, argument.value.name.value))
    if any(name not in {argument.name.value for argument in node.arguments} for name in field.args):
        return arguments  # an argument that is left out has a default

    def passed_on(variables: Any, info: Any) -> dict[str, Any]:
        coerced = variables.coerced
        values = {python: coerced.get(name) for python, name in pairs}
        return arguments(variables, info) if None in values.values() else values

    return passed_on


def _shape(kind: Any) -> Shape:
    nullable = not is_non_null_type(kind)
    kind = kind if nullable else kind.of_type
    if not is_list_type(kind):
        return Shape(nullable)
    item = kind.of_type
    item_nullable = not is_non_null_type(item)
    if is_list_type(item if item_nullable else item.of_type):
        _unsupported("a list of lists")
    return Shape(nullable, item_nullable)


class _Variables(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.seen = False

    def enter_variable(self, *_: Any) -> None:
        self.seen = True


def _has_variables(node: Any) -> bool:
    visitor = _Variables()
    for argument in node.arguments or ():
        visit(argument, visitor)
    return visitor.seen


_AROUND = {Connection, Edge}


def _columns(selection: Selection, kind: GraphQLObjectType) -> frozenset[str] | None:
    """Returns the attributes that the fields read of each row (of a connection: its nodes'); None if one is unknown."""
    definition = kind.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    generic = getattr(definition, "concrete_of", None)
    if generic is not None and generic.origin in _AROUND:
        below = [field.columns for field in selection.fields if field.attribute in ("nodes", "node", "edges")]
        return (
            None
            if None in below
            else frozenset[str]().union(*(columns for columns in below if columns is not None))
        )
    columns = {leaf.attribute for leaf in selection.leaves if leaf.attribute is not None}
    for field in selection.fields:
        own: StrawberryField = field.graphql.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        if field.call is None:
            columns.add(field.attribute)
        elif NEEDS in own.metadata:
            columns.update(own.metadata[NEEDS])
        else:
            return None
    return frozenset(columns)


class Choices(Visitor):
    """The variables of @skip and @include in one operation, and whether it has other directives."""

    def __init__(
        self, operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
    ) -> None:
        super().__init__()
        self.names: dict[str, None] = {}
        self.unknown = False
        self._fragments, self._seen = fragments, set[str]()
        visit(operation, self)

    def enter_fragment_spread(self, node: Any, *_: Any) -> None:
        name = node.name.value
        if name not in self._seen:
            self._seen.add(name)
            visit(self._fragments[name], self)

    def enter_directive(self, node: Any, *_: Any) -> None:
        if node.name.value not in ("skip", "include"):
            self.unknown = True
        for argument in node.arguments or ():
            if isinstance(argument.value, VariableNode):
                self.names[argument.value.name.value] = None
