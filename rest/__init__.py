"""Door 2, REST: all routers. A feature is one file, a route is one line, and paths are those of the specification."""

from fastapi import APIRouter

from rest import (
    accounts,
    ai,
    auth,
    blocks,
    chats,
    common,
    configuration,
    docs,
    events,
    exports,
    files,
    graphiql,
    health,
    hooks,
    imports,
    legacy,
    logins,
    message_records,
    messages,
    messenger_accounts,
    metrics,
    presence,
    recipients,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    statistics,
    storage,
    tariffs,
    trial,
    unsubscribe,
    users,
    webhooks,
)
from rest.frame.vendor import under_api

_VENDOR = (
    messenger_accounts.api,
    logins.api,
    chats.api,
    configuration.api,
    webhooks.api,
    presence.api,
)

SPECIFIED: tuple[APIRouter, ...] = (
    health.api,
    auth.api,
    users.api,
    users.records,
    accounts.api,
    messages.api,
    settings.api,
    common.api,
    sending_projects.api,
    recipients.api,
    imports.api,
    message_records.api,
    repeatable.api,
    blocks.api,
    files.api,
    exports.api,
    statistics.api,
    tariffs.api,
    source_accounts.api,
    events.api,
    ai.api,
    trial.api,
    *_VENDOR,
)
"""Routers of the specification's routes."""

EXTENSIONS: tuple[APIRouter, ...] = (
    under_api(_VENDOR),
    hooks.api,
    files.extension,
    chats.extension,
    imports.extension,
    recipients.extension,
    trial.extension,
    unsubscribe.api,
    storage.api,
    legacy.api,
    metrics.api,
    docs.api,
    graphiql.api,
)
"""Routers of Postern's own routes, tagged `extensions` in OpenAPI."""
