"""Builds the GraphQL schema of all features."""

from functools import cache
from importlib import import_module

from graphql import (
    ASTValidationRule,
    specified_rules,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types

from schema.frame import descriptions, graphql, list_limits, nodes
from schema.frame.documents import Documents, preparer
from schema.frame.executors import AtOnce
from schema.frame.schema import Schema

FEATURES = (
    "health",
    "auth",
    "first_user",
    "api_tokens",
    "second_factors",
    "members",
    "audit",
    "users",
    "accounts",
    "messages",
    "settings",
    "common",
    "storage",
    "legacy",
    "sending_projects",
    "project_actions",
    "project_costs",
    "project_plans",
    "recipients",
    "contacts",
    "contact_fields",
    "topics",
    "segments",
    "topic_subscriptions",
    "signup_forms",
    "contact_imports",
    "contact_timeline",
    "imports",
    "message_records",
    "repeatable",
    "blocks",
    "files",
    "exports",
    "statistics",
    "outcomes",
    "persons",
    "deliverability",
    "sending_channels",
    "processing",
    "system",
    "mail_reports",
    "domains",
    "senders",
    "tariffs",
    "price_lists",
    "quotes",
    "country_rules",
    "route_rules",
    "source_accounts",
    "events",
    "event_feed",
    "ai",
    "trial",
    "messenger_accounts",
    "logins",
    "chats",
    "inbox",
    "chat_labels",
    "chat_notes",
    "chat_search",
    "canned_answers",
    "configuration",
    "webhooks",
    "webhook_deliveries",
    "event_sinks",
    "presence",
    "changes",
)
"""The files of this folder, in the order of their fields."""

_PARTS = (*(import_module(f"schema.{name}") for name in FEATURES), nodes)


def _root(name: str) -> type:
    return merge_types(name, tuple(getattr(part, name) for part in _PARTS if hasattr(part, name)))


Query, Mutation, Subscription = map(_root, ("Query", "Mutation", "Subscription"))


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
    list_limits.attach(schema._schema)  # noqa: SLF001
    schema.explorable, schema.prepare = explorable, prepare
    return schema


__all__ = ["Mutation", "Query", "Subscription", "build"]
