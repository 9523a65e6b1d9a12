"""Routes /delivery-hook and /webhook/user-channel (contract §3). Engines call them, with one of three proofs."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from core.errors import TooLarge
from resolvers import events
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.events import BODY, CHANNEL_BODY, ChannelHook, HookAnswer

api = router("events", any_query=True)

UserId = Annotated[
    UUID, Path(alias="engineUserUuid", description="uuid of the user that the engine belongs to")
]
Key = Annotated[
    str | None,
    Query(max_length=256, description="hook key, for engines that can neither sign nor send a header"),
]
_SIGNED = [
    {
        "name": name,
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": description,
    }
    for name, description in (
        ("webhook-id", "Standard Webhooks: id of the request"),
        ("webhook-timestamp", "Standard Webhooks: Unix time of the request in seconds"),
        (
            "webhook-signature",
            "Standard Webhooks: signature as `v1,<base64>`; several are separated by spaces",
        ),
    )
]


def _hook(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the OpenAPI entries of a hook: it is signed, or has a token or a key."""
    content = {"application/json": {"schema": schema}}
    return {
        "security": [*BEARER["security"], {}],
        "parameters": _SIGNED,
        "requestBody": {"required": True, "content": content},
    }


@api.post(
    "/delivery-hook/{engineUserUuid}",
    status_code=202,
    response_model=HookAnswer,
    responses=errors(400, 401, 413, 503),
    openapi_extra=_hook(BODY),
)
async def deliver(ctx: Ctx, user_id: UserId, request: Request, key: Key = None) -> Any:
    """Receives delivery reports, statuses and replies from a user's messaging engine. Every event of the batch is
    processed.
    """
    return await events.deliver(ctx, user_id, await _delivery(request, key))


@api.post(
    "/webhook/user-channel",
    status_code=202,
    response_model=HookAnswer,
    responses=errors(400, 401, 413, 503),
    openapi_extra=_hook(CHANNEL_BODY),
)
async def channel(ctx: Ctx, request: Request, key: Key = None) -> Any:
    """Reports that a sender identity was connected, disconnected, blocked or deleted."""
    delivery = await _delivery(request, key)
    return await events.channel(ctx, _channel_hook(delivery.body), delivery)


async def _delivery(request: Request, key: str | None) -> events.Delivery:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > events.MOST_BYTES:
            raise TooLarge(
                f"The body of a hook may have at most {events.MOST_BYTES} bytes. Send fewer events at once."
            )
    return events.Delivery(bytes(body), dict(request.headers.items()), key)


def _channel_hook(body: bytes) -> ChannelHook:
    try:
        return ChannelHook.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
