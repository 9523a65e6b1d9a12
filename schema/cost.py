"""What a document may cost: the objects that it asks for, if every list is as long as it may be.

A page, or a list that takes a `limit` itself, is as long as that says (a variable: as long as a page may be), any
other list twenty. Scalars are free. Lists inside lists multiply, so this is what bounds a graph whose relations go
both ways.
"""

from typing import Any

from graphql import (
    DocumentNode,
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
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
)

LIST = 20  # of a list that has no `limit`: an account's owner has as many accounts as one may have
PAGE = 100  # the longest page


def cost(schema: GraphQLSchema, document: DocumentNode) -> int:
    """Of the dearest operation. The document is valid, and bounded in its selections."""
    fragments = {
        node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
    }
    return max(
        (
            _of(schema, fragments, definition.selection_set, schema.get_root_type(definition.operation), None)
            for definition in document.definitions
            if isinstance(definition, OperationDefinitionNode)
        ),
        default=0,
    )


def _of(
    schema: GraphQLSchema,
    fragments: dict[str, FragmentDefinitionNode],
    selections: SelectionSetNode,
    kind: Any,
    limit: int | None,
) -> int:
    """`limit` is the page's that these selections stand in."""
    total = 0
    for node in selections.selections:
        if isinstance(node, FragmentSpreadNode):
            fragment = fragments[node.name.value]
            inside = schema.get_type(fragment.type_condition.name.value)
            total += _of(schema, fragments, fragment.selection_set, inside, limit)
        elif isinstance(node, InlineFragmentNode):
            inside = schema.get_type(node.type_condition.name.value) if node.type_condition else kind
            total += _of(schema, fragments, node.selection_set, inside, limit)
        elif isinstance(node, FieldNode) and node.selection_set is not None:
            field = kind.fields.get(node.name.value) if _has_fields(kind) else None
            if field is None:
                continue  # introspection, which depth bounds
            own, length = _limit(node, field), 1
            if _is_list(field.type):
                # A list that takes a `limit` is no page: what stands in its items is not as long.
                own, length = None, own or limit or LIST
            inner = _of(schema, fragments, node.selection_set, get_named_type(field.type), own)
            total += length * (1 + inner)
    return total


def _has_fields(kind: Any) -> bool:
    return isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)


def _is_list(kind: Any) -> bool:
    return isinstance(kind.of_type if isinstance(kind, GraphQLNonNull) else kind, GraphQLList)


def _limit(node: FieldNode, field: GraphQLField) -> int | None:
    """How long the page or list may be that this field opens, at least one; None where it takes no `limit`."""
    argument = field.args.get("limit")
    if argument is None:
        return None
    for given in node.arguments or ():
        if given.name.value == "limit":
            value = given.value
            return max(1, min(int(value.value), PAGE)) if isinstance(value, IntValueNode) else PAGE
    default = argument.default_value
    return default if isinstance(default, int) else PAGE
