"""Door 2, REST: all routers. A feature is one file, a route is one line, and paths are those of the specification."""

from importlib import import_module

from starlette.routing import BaseRoute

from rest.frame.routing import Router, is_extension
from rest.frame.vendor import under_api

FEATURES = (
    "health",
    "auth",
    "first_user",
    "api_tokens",
    "second_factors",
    "members",
    "audit",
    "users",
    "undo",
    "accounts",
    "messages",
    "settings",
    "common",
    "sending_projects",
    "recipients",
    "contacts",
    "contact_fields",
    "topics",
    "segments",
    "topic_subscriptions",
    "signup_forms",
    "signups",
    "preferences",
    "self_service",
    "contact_imports",
    "contact_timeline",
    "imports",
    "message_records",
    "repeatable",
    "blocks",
    "files",
    "exports",
    "statistics",
    "processing",
    "tariffs",
    "price_lists",
    "quotes",
    "country_rules",
    "route_rules",
    "source_accounts",
    "events",
    "ai",
    "trial",
    "messenger_accounts",
    "logins",
    "chats",
    "configuration",
    "webhooks",
    "presence",
    "outcomes",
    "persons",
    "sending_channels",
    "event_feed",
    "webhook_deliveries",
    "event_sinks",
    "messenger_relations",
    "inbox",
    "chat_labels",
    "chat_notes",
    "chat_search",
    "canned_answers",
    "project_actions",
    "project_costs",
    "project_plans",
    "hooks",
    "unsubscribe",
    "storage",
    "system",
    "mail_reports",
    "deliverability",
    "domains",
    "senders",
    "legacy",
    "metrics",
    "docs",
    "graphiql",
    "console",
    "console_page",
)
"""The files of this folder, in the order in which OpenAPI shows their tags."""

ROUTERS = tuple(
    router
    for name in FEATURES
    for router in vars(import_module(f"{__name__}.{name}")).values()
    if isinstance(router, Router)
)
TAGS = {router.tag: router.about for router in ROUTERS if router.about} | {
    "extensions": "Postern's own routes, which the specification does not list."
}
_ALL = [route for router in ROUTERS for route in router.routes]
ROUTES: tuple[BaseRoute, ...] = (
    *(route for route in _ALL if not is_extension(route)),
    *under_api(_ALL),
    *filter(is_extension, _ALL),
)
"""All routes, those of the specification first: the first one that matches a request answers it."""
