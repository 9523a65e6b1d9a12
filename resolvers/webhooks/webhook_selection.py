"""Selects the events that a webhook of an event feed receives, and their form: types, filters and the document."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import BadRequest, NotFound
from db import models
from resolvers.auth.token_rows import maker_of
from resolvers.webhooks.webhook_rows import permission_for
from runtime import webhook_documents as documents
from runtime.operation import Op
from runtime.webhook_documents import BadDocument
from shapes.event_feed import TYPES
from shapes.event_webhooks import NewEventWebhook, WebhookPatch
from shapes.resend_events import FORMAT as RESEND
from shapes.resend_events import OWN_TYPES

MOST_COST = 1000
"""Points that a document may cost for each event."""

_OWNED = {
    "sending_project_uuid": ("sending_projects", "project"),
    "paying_account_id": ("accounts", "account"),
    "messenger_account_uuid": ("messenger_accounts", "messenger account"),
}


def check_types(types: Sequence[str]) -> None:
    """Checks names of event types. Raises BadRequest `unknown_event_type`."""
    for name in types:
        if name not in TYPES:
            raise BadRequest(
                f"There is no event type {name[:64]!r}. The query `eventTypes` and docs/events.md list all of them.",
                code="unknown_event_type",
            )


async def check(op: Op, types: Sequence[str], query: str | None) -> int:
    """Checks types and a document. Returns the points that the document costs for each event.

    Raises BadRequest `unknown_event_type` | `bad_document`.
    """
    check_types(types)
    if query is None:
        return 0
    if query == RESEND:
        if not (types and OWN_TYPES.keys() >= {*types}):
            raise BadRequest(
                f"Resend's form is only for events of the types {', '.join(OWN_TYPES)}. Set `types` to some of them.",
                code="bad_document",
            )
        return 0
    try:
        checked = (await documents.runner(op.services)).check(op.services, query)
    except BadDocument as error:
        raise BadRequest(
            f"This document can't make the body of an event. {error}", code="bad_document"
        ) from None
    if checked.types is not None and not (types and checked.types.issuperset(types)):
        allowed = ", ".join(sorted(checked.types))
        raise BadRequest(
            f"The field of this document is only for events of the type {allowed}. Set `types` to it.",
            code="bad_document",
        )
    if checked.cost > MOST_COST:
        raise BadRequest(
            f"This document may cost {checked.cost} points for each event, more than the {MOST_COST} allowed. Ask for"
            " shorter lists (first), or for fewer fields.",
            code="bad_document",
        )
    return checked.cost


async def columns_of(
    op: Op, row: models.Webhook | None, input: NewEventWebhook | WebhookPatch
) -> dict[str, Any]:
    """Returns the columns that the input sets. Objects must be those of the webhook's owner. Raises NotFound."""
    owner_id = op.viewer.id if row is None else row.owner_id
    columns: dict[str, Any] = {}
    for name in input.model_fields_set & {"url", "batch", "query", *_OWNED}:
        columns[name] = getattr(input, name)
    if row is None:
        columns.pop("url", None)
    if input.types is not None:
        columns["events"] = list(dict.fromkeys(input.types))
    if "query" in columns:
        columns["query_roles"] = sorted(op.viewer.roles)
    for name, (table, what) in _OWNED.items():
        if columns.get(name) is not None:
            await _check_owner(op, table, what, columns[name], owner_id)
    return columns


async def maker_columns(op: Op, input: NewEventWebhook | WebhookPatch, *, of_feed: bool) -> dict[str, Any]:
    """Returns the columns of the maker, if the input sets what a maker answers for. Call it before the webhook is
    locked: the removal of a member locks the membership first, and then the webhooks.
    """
    if not isinstance(input, NewEventWebhook) and not input.model_fields_set & {"url", "query"}:
        return {}
    return (await maker_of(op, op.connection, permission_for(of_feed=of_feed, write=True))).columns


async def _check_owner(op: Op, table: str, what: str, id: UUID, owner_id: UUID) -> None:
    owned = f"SELECT true FROM {table} WHERE id = $1 AND owner_id = $2"  # noqa: S608  our own names
    if not await op.reads.fetchval(owned, id, owner_id):
        raise NotFound(f"There is no such {what} among those of the webhook's owner. Check its id.")
