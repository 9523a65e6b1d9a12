"""Webhooks of Resend's form: those of the caller's event feed whose format is `resend`, and no others."""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import NotFound
from core.validation import readable_message
from db.lists import PageArgs
from doors.resend import pages
from doors.resend.context import ResendContext
from doors.resend.errors import Refused, invalid
from resolvers import webhooks
from shapes.event_webhooks import NewEventWebhook, WebhookPatch
from shapes.resend_events import FORMAT, TYPES, own_types, resend_names

_MOST: Final = 100
_STATUSES: Final = {"enabled": True, "disabled": False}
_NO_WEBHOOK: Final = "There is no webhook with this id among yours. Check the id."


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    endpoint: Annotated[str, Field(max_length=2048)] | None = None
    events: list[str] | None = None
    status: str | None = None
    webhook_id: str | None = None


async def create(ctx: ResendContext, sent: Any) -> Any:
    """Makes a webhook."""
    asked = _read(sent)
    if not asked.endpoint:
        raise invalid("Missing `endpoint` field.", "missing_required_field")
    if not asked.events:
        raise invalid("Missing `events` field.", "missing_required_field")
    input = _valid(NewEventWebhook, url=asked.endpoint, types=_types(asked.events), query=FORMAT)
    saved = await webhooks.create(ctx, input)
    return {"object": "webhook", "id": str(saved.webhook.id), "signing_secret": saved.secret}


async def page(ctx: ResendContext) -> Any:
    """Lists webhooks, oldest first."""
    asked = pages.asked(ctx.connection.query_params, "webhooks")
    rows = await webhooks.page(ctx, None, PageArgs(first=_MOST), {})  # an owner has at most twenty
    entries = [
        _as_webhook(row)
        for row in rows.nodes
        if row.query == FORMAT and row.owner_id == (await ctx.viewer()).id
    ]
    ids = [each["id"] for each in entries]
    query = ctx.connection.query_params
    if (after := query.get("after")) is not None:
        entries = entries[ids.index(after) + 1 :] if after in ids else []
    elif (before := query.get("before")) is not None:
        entries = entries[: ids.index(before)] if before in ids else []
    limit = asked.limit
    part = entries[-limit:] if asked.backwards else entries[:limit]
    return {"object": "list", "has_more": len(entries) > limit, "data": part}


async def get(ctx: ResendContext, id: str) -> Any:
    """Returns one webhook. Only the answer to its making has the secret."""
    return {"object": "webhook", **_as_webhook(await _webhook(ctx, id)), "signing_secret": None}


async def update(ctx: ResendContext, id: str, sent: Any) -> Any:
    """Changes a webhook."""
    asked, row = _read(sent), await _webhook(ctx, id)
    changes: dict[str, Any] = {}
    if asked.endpoint is not None:
        changes["url"] = asked.endpoint
    if asked.events is not None:
        changes["types"] = _types(asked.events)
    if asked.status is not None:
        if asked.status not in _STATUSES:
            raise invalid("status must be enabled or disabled.")
        changes["enabled"] = _STATUSES[asked.status]
    await webhooks.update(ctx, row.id, _valid(WebhookPatch, **changes))
    return {"object": "webhook", "id": str(row.id)}


async def delete(ctx: ResendContext, id: str) -> Any:
    """Deletes a webhook."""
    row = await _webhook(ctx, id)
    await webhooks.delete(ctx, row.id)
    return {"object": "webhook", "id": str(row.id), "deleted": True}


async def rotate(ctx: ResendContext, id: str) -> Any:
    """Gives a webhook another secret; for a day both sign."""
    row = await _webhook(ctx, id)
    saved = await webhooks.rotate(ctx, row.id)
    return {"object": "webhook", "id": str(row.id), "signing_secret": saved.secret}


async def _webhook(ctx: ResendContext, id: str) -> Any:
    """Returns a webhook of Resend's form. Raises Refused, AppError."""
    row = await webhooks.get(ctx, pages.uuid_of(id, "webhook"))
    if row.query != FORMAT:
        raise NotFound(_NO_WEBHOOK, code="webhook_not_found")
    return row


def _types(names: list[str]) -> list[str]:
    """Returns the types of our events. Raises Refused for an event that this service does not have."""
    if unknown := [name for name in names if name not in TYPES]:
        raise invalid(f"{unknown[0][:64]}: this event is not sent here. There are {', '.join(TYPES)}.")
    if not names:
        raise invalid("events must name at least one event.")
    return own_types(names)


def _as_webhook(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "created_at": pages.time(row.created_at),
        "status": "enabled" if row.enabled else "disabled",
        "endpoint": row.url,
        "events": resend_names(row.events),
    }


def _read(sent: Any) -> _Asked:
    if not isinstance(sent, dict):
        raise invalid("The webhook must be a JSON object.")
    try:
        return _Asked.model_validate(sent)
    except ValidationError as error:
        raise _refused(error) from error


def _valid(shape: type[Any], **fields: Any) -> Any:
    try:
        return shape.model_validate(fields, by_name=True)
    except ValidationError as error:
        raise _refused(error) from error


def _refused(error: ValidationError) -> Refused:
    problem = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part)[:100] for part in problem["loc"])
    return invalid(f"Invalid `{field}` field: {readable_message(problem['type'], problem['msg'])}.")
