"""Checks rules of the whole graph. A schema goes in, sentences come out."""

import re
from collections.abc import Iterator
from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_specified_scalar_type,
    print_ast,
)

Found = Iterator[str]

NULL_CHANGES_NOTHING = {
    "AccountPatch",
    "MessengerAccountPatch",
    "RepeatablePatch",
    "UserPatch",
    "WebhookPatch.enabled",
    "WebhookPatch.events",
}
"""Patches, and fields of them, in which null is as if it were left out. They were released with defaults."""
_TYPE, _FIELD = re.compile(r"[A-Z][A-Za-z0-9]*"), re.compile(r"[a-z][A-Za-z0-9]*")

# Why it is as it is, by its place.
HOLES = {
    "Query.nodes": "Relay's words: what is not found is null in its place",
}
NO_NODE = {
    "Event": "it is found by its cursor, and deleted after some days",
    "ClickedLink": "its project's list has all of them, and nothing else leads to one",
    "BegunTotp": "names a second factor that it says something of",
    "ImportRow": "its uuid is its line in an import, not a row's",
    "Membership": "it is the member's side of a Member, and its list has all of them",
    "NotStopped": "names a project that it says something of",
    "RefusedProject": "names a project that it says something of",
    "ProcessedProject": "names a project that it says something of",
    "QueuedProject": "names a project that it says something of",
    "SecondFactor": "its user's list has all of them, and nothing else leads to one",
    "ReceiverPause": "its list has all of them, and nothing else leads to one",
    "ReceiverRule": "its list has all of them, and nothing else leads to one",
    "StatusReport": "names a message that it says something of",
}
NO_SPECIFICATION = {
    "Decimal": "no specification is of it; its description says what it takes",
}


def _types(schema: GraphQLSchema) -> list[GraphQLNamedType]:
    """Ours, in order: neither GraphQL's own scalars nor introspection."""
    return [
        kind
        for name, kind in sorted(schema.type_map.items())
        if not name.startswith("__") and not is_specified_scalar_type(kind)
    ]


def _fields(
    schema: GraphQLSchema,
) -> Iterator[tuple[GraphQLObjectType | GraphQLInterfaceType, str, GraphQLField]]:
    for kind in _types(schema):
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for name, field in kind.fields.items():
                yield kind, name, field


def all_is_described(schema: GraphQLSchema) -> Found:
    for kind in _types(schema):
        if not (kind.description or "").strip():
            yield f"{kind.name} has no description"
        if isinstance(kind, GraphQLInputObjectType):
            for name, inner in kind.fields.items():
                if not (inner.description or "").strip():
                    yield f"{kind.name}.{name} has no description: give its shape a docstring or Field(description=…)"
        if isinstance(kind, GraphQLEnumType):
            for name, value in kind.values.items():
                if not (value.description or "").strip():
                    yield f"{kind.name}.{name} has no description: add a line to schema/frame/descriptions.py"
    for parent, name, field in _fields(schema):
        if not (field.description or "").strip():
            yield f"{parent.name}.{name} has no description"
        for argument, definition in field.args.items():
            if not (definition.description or "").strip():
                yield f"{parent.name}.{name}({argument}:) has no description: graphql.argument(…) in its annotation"


def names_are_spelled_alike(schema: GraphQLSchema) -> Found:
    for kind in _types(schema):
        if not _TYPE.fullmatch(kind.name):
            yield f"{kind.name}: a type's name is in PascalCase"
        if isinstance(kind, GraphQLInputObjectType):
            yield from (
                f"{kind.name}.{name}: camelCase" for name in kind.fields if not _FIELD.fullmatch(name)
            )
    for parent, name, field in _fields(schema):
        for word in (name, *field.args):
            if not _FIELD.fullmatch(word):
                yield f"{parent.name}.{name}: {word} is not in camelCase"


def connections_are_relay_s(schema: GraphQLSchema) -> Found:
    """relay.dev/graphql/connections.htm, and `nodes` and `totalCount`."""
    for kind in _types(schema):
        if kind.name.endswith("Connection"):
            yield from _connection(kind)
        if kind.name == "PageInfo":
            wanted = {
                "hasNextPage": "Boolean!",
                "hasPreviousPage": "Boolean!",
                "startCursor": "String",
                "endCursor": "String",
            }
            yield from _wanted(kind, wanted)
    for parent, name, field in _fields(schema):
        if not get_named_type(field.type).name.endswith("Connection"):
            continue
        place = f"{parent.name}.{name}"
        for argument, type in (("first", "Int"), ("after", "String"), ("last", "Int"), ("before", "String")):
            definition = field.args.get(argument)
            if definition is None or str(definition.type) != type or _default(definition) not in ("", "null"):
                yield f"{place} must take {argument}: {type}, without a default"
        for argument, ending in (("where", "Where"), ("orderBy", "Order")):
            definition = field.args.get(argument)
            if definition is not None and not get_named_type(definition.type).name.endswith(ending):
                yield f"{place}({argument}:) must be of a type whose name ends with {ending}"


def _default(argument: GraphQLArgument) -> str:
    """Returns an argument's default as it stands in the SDL."""
    literal = argument.default.literal if argument.default is not None else None
    return print_ast(literal) if literal is not None else ""


def _connection(kind: GraphQLNamedType) -> Found:
    node = kind.name.removesuffix("Connection")
    yield from _wanted(
        kind,
        {
            "edges": f"[{node}Edge!]!",
            "nodes": f"[{node}!]!",
            "pageInfo": "PageInfo!",
            "totalCount": "Int!",
        },
    )
    edges = getattr(kind, "fields", {}).get("edges")
    if edges is not None:
        yield from _wanted(get_named_type(edges.type), {"cursor": "String!", "node": f"{node}!"})


def _wanted(kind: Any, wanted: dict[str, str]) -> Found:
    has = {name: str(field.type) for name, field in getattr(kind, "fields", {}).items()}
    for name, type in wanted.items():
        if has.get(name) != type:
            yield f"{kind.name} must have {name}: {type}"


def what_has_an_id_is_a_node(schema: GraphQLSchema) -> Found:
    for kind in _types(schema):
        if not isinstance(kind, GraphQLObjectType) or kind.name in NO_NODE:
            continue
        node = any(interface.name == "Node" for interface in kind.interfaces)
        if "uuid" in kind.fields and not (
            node and str(kind.fields.get("id", GraphQLField(kind)).type) == "ID!"
        ):
            yield f"{kind.name} has a uuid, so it must have id: ID! and implement Node"
        if node and str(kind.fields["uuid"].type if "uuid" in kind.fields else None) not in ("UUID!", "ID!"):
            yield f"{kind.name} is a Node, so it must have uuid: UUID!, which REST shows"
    yield from _wanted(schema.type_map.get("Node"), {"id": "ID!"})
    yield from _wanted(schema.query_type, {"node": "Node", "nodes": "[Node]"})


def roots_may_be_null(schema: GraphQLSchema) -> Found:
    """An error in one root field leaves the others as they are."""
    for root in (schema.query_type, schema.mutation_type):
        for name, field in root.fields.items() if root else ():
            if isinstance(field.type, GraphQLNonNull):
                yield f"{root}.{name} must be nullable: what went wrong is in errors"


def a_mutation_takes_one_input(schema: GraphQLSchema) -> Found:
    for name, field in (schema.mutation_type.fields if schema.mutation_type else {}).items():
        place = f"Mutation.{name}"
        if len(field.args) > 2:
            yield f"{place} has {len(field.args)} arguments: put them into one input"
        given = field.args.get("input")
        if given is not None and not isinstance(get_named_type(given.type), GraphQLInputObjectType):
            yield f"{place}: input is no input object"
        for argument, definition in field.args.items():
            # Many at once are `inputs`, each of which is an input.
            name_of_many = "inputs" if "[" in str(definition.type) else "input"
            if argument not in ("input", name_of_many) and isinstance(
                get_named_type(definition.type), GraphQLInputObjectType
            ):
                yield f"{place}: the argument {argument} must be called input"


def ids_are_ids(schema: GraphQLSchema) -> Found:
    """Arguments take either spelling, so they are no UUIDs."""
    for parent, name, field in _fields(schema):
        for argument, definition in field.args.items():
            if (
                re.fullmatch(r"ids?|\w+(Id|Uuid)s?", argument)
                and get_named_type(definition.type).name != "ID"
            ):
                yield f"{parent.name}.{name}({argument}:) must be an ID"


def scalars_name_their_specification(schema: GraphQLSchema) -> Found:
    for kind in _types(schema):
        if not isinstance(kind, GraphQLScalarType) or kind.name in NO_SPECIFICATION:
            continue
        if not (kind.specified_by_url or "").startswith("https://"):
            yield f"the scalar {kind.name} must say @specifiedBy(url: …), or stand in NO_SPECIFICATION with the reason"


def lists_have_no_holes(schema: GraphQLSchema) -> Found:
    """`[Thing]` would make every client look at each item twice."""
    for parent, name, field in _fields(schema):
        if _holes(field.type) and f"{parent.name}.{name}" not in HOLES:
            yield f"{parent.name}.{name}: {field.type}: items must not be null"


def patches_have_no_defaults(schema: GraphQLSchema) -> Found:
    """A default of null would take away what a patch leaves out: the limits of a token, for example."""
    for kind in _types(schema):
        if isinstance(kind, GraphQLInputObjectType) and kind.name.endswith("Patch"):
            for name, field in kind.fields.items():
                has_default = field.default is not None or field.default_value is not Undefined
                if has_default and NULL_CHANGES_NOTHING.isdisjoint({kind.name, f"{kind.name}.{name}"}):
                    yield f"{kind.name}.{name} has a default: write `Field(default_factory=nothing)` (shapes/values.py)"


def _holes(type: Any) -> bool:
    if isinstance(type, GraphQLNonNull):
        return _holes(type.of_type)
    if isinstance(type, GraphQLList):
        return not isinstance(type.of_type, GraphQLNonNull) or _holes(type.of_type)
    return False


RULES = (
    all_is_described,
    names_are_spelled_alike,
    connections_are_relay_s,
    what_has_an_id_is_a_node,
    roots_may_be_null,
    a_mutation_takes_one_input,
    ids_are_ids,
    scalars_name_their_specification,
    lists_have_no_holes,
    patches_have_no_defaults,
)
