"""Builds the GraphQL schema of all features."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import strawberry
from graphql import (
    ASTValidationRule,
    GraphQLDeferDirective,
    GraphQLDirective,
    GraphQLError,
    experimental_execute_incrementally,
    specified_rules,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types
from strawberry.types import ExecutionContext

from schema import (
    accounts,
    ai,
    auth,
    blocks,
    changes,
    chats,
    common,
    configuration,
    events,
    exports,
    files,
    graphql,
    health,
    imports,
    legacy,
    logins,
    message_records,
    messages,
    messenger_accounts,
    nodes,
    presence,
    recipients,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    statistics,
    storage,
    tariffs,
    test_sending,
    users,
    webhooks,
    words,
)
from schema.documents import Documents, Preparer, preparer
from schema.executors import AtOnce

FEATURES = (
    health,
    auth,
    users,
    accounts,
    messages,
    settings,
    common,
    storage,
    legacy,
    sending_projects,
    recipients,
    imports,
    message_records,
    repeatable,
    blocks,
    files,
    exports,
    statistics,
    tariffs,
    source_accounts,
    events,
    ai,
    test_sending,
    messenger_accounts,
    logins,
    chats,
    configuration,
    webhooks,
    presence,
    changes,
    nodes,
)

Query = merge_types("Query", tuple(part.Query for part in FEATURES if hasattr(part, "Query")))
Mutation = merge_types("Mutation", tuple(part.Mutation for part in FEATURES if hasattr(part, "Mutation")))
Subscription = merge_types(
    "Subscription", tuple(part.Subscription for part in FEATURES if hasattr(part, "Subscription"))
)


class Schema(strawberry.Schema):
    """Strawberry's schema with our documents, executor and errors."""

    explorable = False
    prepare: Preparer

    def process_errors(
        self, errors: Iterable[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Does nothing: `schema.errors.render` logs unexpected errors, and expected ones are not logged."""

    def _collect_graphql_directives(
        self, schema_directive_types: Iterable[type]
    ) -> tuple[GraphQLDirective, ...]:
        """Adds only `@defer`; Strawberry's own option would add `@stream` too."""
        return (*super()._collect_graphql_directives(schema_directive_types), GraphQLDeferDirective)

    def _get_execute_function(self) -> Callable[..., Any]:
        """Replaces graphql-core's `execute`, which refuses a schema with `@defer`; the executor decides on parts."""
        return experimental_execute_incrementally


@cache
def build(*, explorable: bool) -> Schema:
    """Returns the schema, one for the whole process. `explorable` allows introspection and suggestions."""
    hidden: tuple[type[ASTValidationRule], ...] = () if explorable else (NoSchemaIntrospectionCustomRule,)
    prepare = preparer((*specified_rules, *hidden), hide=not explorable)
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        extensions=[lambda: Documents(prepare)],
        execution_context_class=AtOnce,
        config=StrawberryConfig(
            scalar_map=graphql.SCALARS,
            disable_field_suggestions=not explorable,
            batching_config=None,
            info_class=graphql.Info,
        ),
    )
    words.describe(schema._schema)  # noqa: SLF001
    schema.explorable, schema.prepare = explorable, prepare
    return schema


__all__ = ["Mutation", "Query", "Schema", "Subscription", "build"]
