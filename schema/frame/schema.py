"""Strawberry's schema with our documents, executor and errors."""

from collections.abc import Callable, Iterable
from typing import Any

import strawberry
from graphql import GraphQLDeferDirective, GraphQLDirective, GraphQLError
from graphql.execution import experimental_execute_incrementally
from strawberry.types import ExecutionContext

from schema.frame.documents import Preparer


class Schema(strawberry.Schema):
    """Strawberry's schema with our documents, executor and errors."""

    explorable = False
    prepare: Preparer

    def process_errors(
        self, errors: Iterable[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Does nothing: `schema.frame.errors.render` logs unexpected errors, and expected ones are not logged."""

    def _collect_graphql_directives(
        self, schema_directive_types: Iterable[type]
    ) -> tuple[GraphQLDirective, ...]:
        """Adds only `@defer`; Strawberry's own option would add `@stream` too."""
        return (*super()._collect_graphql_directives(schema_directive_types), GraphQLDeferDirective)

    def _get_execute_function(self) -> Callable[..., Any]:
        """Replaces graphql-core's `execute`, which refuses a schema with `@defer`; the executor decides on parts."""
        return experimental_execute_incrementally
