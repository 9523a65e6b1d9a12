"""Door 2, REST: the contents page. One file a feature, one line a route, the specification's exact paths."""

from fastapi import APIRouter

from rest import (
    accounts,
    ai,
    auth,
    blocks,
    common,
    docs,
    events,
    exports,
    files,
    health,
    hooks,
    imports,
    legacy,
    message_records,
    messages,
    metrics,
    recipients,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    statistics,
    storage,
    tariffs,
    test_sending,
    unsubscribe,
    users,
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
    test_sending.api,
)
"""Routes of the specification."""

EXTENSIONS: tuple[APIRouter, ...] = (
    hooks.api,
    files.extension,
    imports.extension,
    unsubscribe.api,
    storage.api,
    legacy.api,
    metrics.api,
    docs.api,
)
"""Routes of ours, marked as such in OpenAPI."""
