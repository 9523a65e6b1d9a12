"""Bounds the work that literals in documents, and the values of variables, can cause.

graphql-core writes the whole value into the message of each error, and goes on: an object of 600 unknown fields was
printed eleven times. And it coerces every item of a list, however long the list is.
"""

from collections.abc import Mapping
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    TokenKind,
    ValueNode,
    ValuesOfCorrectTypeRule,
    VisitorAction,
    is_input_object_type,
    type_from_ast,
)
from graphql.language import SKIP
from graphql.utilities.validate_input_value import validate_input_literal

FIELDS = 100
"""Fields of one input object; a test checks that no input type has more."""
VALUES = 100_000
"""Values of all variables of a request: items of lists and fields of objects. Contents of JSON scalars don't count."""
VALUES_OF_A_POINT = 50
LINES = 5000
"""Lines of a document. For each of its errors graphql-core counts the lines before it."""
_NAME, _NUMBER = 256, 1000  # characters

_Types = tuple[tuple[str, GraphQLInputType], ...]


def long_text(text: str) -> str | None:
    """Returns what is wrong with the lines of a document, as a sentence, or None."""
    if lines(text) > LINES:
        return f"The query has more than {LINES} lines. Ask for less at a time, and send long texts as variables."
    return None


def lines(text: str) -> int:
    """Returns the number of lines, of which it may count some twice."""
    return text.count("\n") + text.count("\r") + 1


def long_token(document: DocumentNode) -> str | None:
    """Returns which name or number of a document is too long, as a sentence, or None."""
    token = document.loc.start_token if document.loc else None
    while token is not None:
        length = token.end - token.start
        if length > _NAME and token.kind is TokenKind.NAME:
            return f"The query has a name of more than {_NAME} characters. Choose a shorter one."
        if length > _NUMBER and token.kind in (TokenKind.INT, TokenKind.FLOAT):
            return f"The query has a number of more than {_NUMBER} characters. Write a shorter one."
        token = token.next
    return None


class _FirstError(Exception):
    def __init__(self, error: GraphQLError) -> None:
        self.error = error


class FirstWrongValueRule(ValuesOfCorrectTypeRule):
    """graphql-core's rule, which reports only the first error of each literal."""

    def is_valid_value_node(self, node: ValueNode, input_type: GraphQLInputType | None) -> VisitorAction:
        """Reports the first error, if the literal does not have its type."""
        if input_type is not None:
            try:
                if (wide := _wide_literal(node, input_type)) is not None:
                    raise _FirstError(GraphQLError(_too_wide(wide[1]), wide[0]))
                validate_input_literal(node, input_type, _stop, None, None, self.context.hide_suggestions)
            except _FirstError as first:
                self.report_error(first.error)
        return SKIP


def _stop(error: GraphQLError, _path: Any) -> None:
    raise _FirstError(error)


def _too_wide(kind: Any) -> str:
    return f"Expected value of type '{kind}' to have at most {FIELDS} fields."


def _wide_literal(node: ValueNode, kind: GraphQLInputType) -> tuple[ValueNode, Any] | None:
    """Returns the first input object in the literal that has too many fields, with its type."""
    pending: list[tuple[ValueNode, Any]] = [(node, kind)]
    while pending:
        value, kind = pending.pop()
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        if isinstance(kind, GraphQLList):
            items = value.values if isinstance(value, ListValueNode) else (value,)
            pending.extend((item, kind.of_type) for item in items)
        elif isinstance(value, ObjectValueNode) and isinstance(kind, GraphQLInputObjectType):
            if len(value.fields) > FIELDS:
                return value, kind
            fields = kind.fields
            pending.extend(
                (field.value, fields[field.name.value].type)
                for field in value.fields
                if field.name.value in fields
            )
    return None


def composite_variables(schema: GraphQLSchema, operation: OperationDefinitionNode) -> _Types:
    """Returns the variables whose values are lists or input objects, with their types."""
    variables = []
    for node in operation.variable_definitions or ():
        kind: Any = type_from_ast(schema, node.type)
        if _is_composite(kind):
            variables.append((node.variable.name.value, kind))
    return tuple(variables)


def _is_composite(kind: Any) -> bool:
    if isinstance(kind, GraphQLNonNull):
        kind = kind.of_type
    return isinstance(kind, GraphQLList) or is_input_object_type(kind)


def count_values(types: _Types, variables: Mapping[str, Any]) -> int:
    """Returns how many values of the variables graphql-core would coerce. Raises GraphQLError if they are too many."""
    pending: list[tuple[Any, Any]] = [(variables[name], kind) for name, kind in types if name in variables]
    total = 0
    while pending:
        value, kind = pending.pop()
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        if isinstance(kind, GraphQLList):
            items = value if isinstance(value, list) else (value,)
            total += len(items)
            if total <= VALUES and _is_composite(kind.of_type):
                pending.extend((item, kind.of_type) for item in items)
        elif isinstance(value, dict) and isinstance(kind, GraphQLInputObjectType):
            if len(value) > FIELDS:
                raise GraphQLError(_too_wide(kind))
            total += len(value)
            pending.extend(
                (value[name], field.type)
                for name, field in kind.fields.items()
                if name in value and _is_composite(field.type)
            )
        if total > VALUES:
            raise GraphQLError(
                f"The variables have more than {VALUES:,} values. Send fewer at a time.",
                extensions={"code": "query_too_complex"},
            )
    return total
