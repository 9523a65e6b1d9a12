"""Descriptions in the GraphQL schema for arguments and roots, which have no docstring or Field, and for root fields.

A root field without one shows the text of the operation that it calls (`Operation.text`). An argument that has a
description where it is defined keeps it. Values of an enum have theirs in its class.
`tests/sdl` checks that none is missing.
"""

from graphql import GraphQLEnumType, GraphQLField, GraphQLObjectType, GraphQLScalarType, GraphQLSchema
from strawberry.types.field import StrawberryField

from runtime.doors import operation_of
from runtime.permissions import Permission

ROOTS = {
    "Query": "All read operations. Any field may be null; the error is then in `errors`.",
    "Mutation": "All write operations. A field returns the changed object; if it fails, the field is null "
    "and the error is in `errors`.",
    "Subscription": "Events as they happen, over a WebSocket or as server-sent events.",
}

# Names that mean the same wherever they stand. Any other argument is described where it is defined: graphql.argument.
ARGUMENTS = {
    "accountId": "id or uuid of the account",
    "id": "id or uuid",
    "input": "the input fields",
}

SPECIFICATIONS = {
    "DateTime": "https://www.rfc-editor.org/rfc/rfc3339",
    "UUID": "https://www.rfc-editor.org/rfc/rfc9562",
}


def describe(schema: GraphQLSchema) -> None:
    """Fills in the missing descriptions of a schema, and puts those that are docstrings on one line."""
    for name, kind in schema.type_map.items():
        if name.startswith("__"):
            continue
        if isinstance(kind, GraphQLScalarType):
            kind.specified_by_url = kind.specified_by_url or SPECIFICATIONS.get(name)
        elif isinstance(kind, GraphQLObjectType):
            kind.description = kind.description or ROOTS.get(name)
            for field in kind.fields.values():
                _describe_field(field, is_root=name in ROOTS)
                for argument_name, argument in field.args.items():
                    argument.description = argument.description or ARGUMENTS.get(argument_name)
        elif isinstance(kind, GraphQLEnumType):
            enum_class = kind.extensions["strawberry-definition"].wrapped_cls
            for value_name, value in kind.values.items():
                value.description = value.description or enum_class[value_name].description
        kind.description = _without_line_breaks(kind.description)


def _describe_field(field: GraphQLField, *, is_root: bool) -> None:
    """Adds the text and the permission of the operation that a field calls. A description of its own stays."""
    definition = field.extensions.get("strawberry-definition")
    resolver = definition.base_resolver if isinstance(definition, StrawberryField) else None
    operation = None if resolver is None else operation_of(resolver.wrapped_func)
    if operation is None:
        return
    if field.description is None and is_root:
        field.description = operation.text
    if field.description is not None and operation.permission is not Permission.public:
        sentence = field.description if field.description.endswith(".") else f"{field.description}."
        field.description = f"{sentence} Permission: {operation.needs}"


def _without_line_breaks(text: str | None) -> str | None:
    return text and " ".join(text.split())
