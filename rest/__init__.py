"""Door 2, REST: the contents page. One file a feature, one line a route, the specification's exact paths."""

from fastapi import APIRouter

from rest import (
    accounts,
    auth,
    common,
    docs,
    health,
    hooks,
    legacy,
    messages,
    metrics,
    settings,
    storage,
    users,
)

SPECIFIED: tuple[APIRouter, ...] = (
    health.api,
    auth.api,
    users.api,
    accounts.api,
    messages.api,
    settings.api,
    common.api,
)
"""Routes of the specification."""

EXTENSIONS: tuple[APIRouter, ...] = (hooks.api, storage.api, legacy.api, metrics.api, docs.api)
"""Routes of ours, marked as such in OpenAPI."""
