"""Builds the GraphQL schema of all features."""

from functools import cache

from graphql import (
    ASTValidationRule,
    specified_rules,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types

from schema import (
    accounts,
    ai,
    auth,
    blocks,
    changes,
    chats,
    common,
    configuration,
    event_feed,
    events,
    exports,
    files,
    health,
    imports,
    inbox,
    legacy,
    logins,
    message_records,
    messages,
    messenger_accounts,
    presence,
    processing,
    project_plans,
    recipients,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    statistics,
    storage,
    system,
    tariffs,
    trial,
    users,
    webhook_deliveries,
    webhooks,
)
from schema.frame import descriptions, graphql, nodes
from schema.frame.documents import Documents, preparer
from schema.frame.executors import AtOnce
from schema.frame.schema import Schema

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
    project_plans,
    recipients,
    imports,
    message_records,
    repeatable,
    blocks,
    files,
    exports,
    statistics,
    processing,
    system,
    tariffs,
    source_accounts,
    events,
    event_feed,
    ai,
    trial,
    messenger_accounts,
    logins,
    chats,
    inbox,
    configuration,
    webhooks,
    webhook_deliveries,
    presence,
    changes,
    nodes,
)

Query = merge_types("Query", tuple(part.Query for part in FEATURES if hasattr(part, "Query")))
Mutation = merge_types("Mutation", tuple(part.Mutation for part in FEATURES if hasattr(part, "Mutation")))
Subscription = merge_types(
    "Subscription", tuple(part.Subscription for part in FEATURES if hasattr(part, "Subscription"))
)


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
    descriptions.describe(schema._schema)  # noqa: SLF001
    schema.explorable, schema.prepare = explorable, prepare
    return schema


__all__ = ["Mutation", "Query", "Subscription", "build"]
