"""Routes /delivery-hook and /webhook/user-channel (contract §3). Engines call them, with one of three proofs, two of
which are hook secrets and hook keys; their routes are extensions.
"""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from core.errors import TooLarge
from db.lists import Conditions, PageArgs
from resolvers import events
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.events import (
    BODY,
    CHANNEL_BODY,
    ChannelHook,
    HookAnswer,
    HookSecret,
    HookSecretWhere,
    IssuedHookSecret,
)
from shapes.page import PageByCursor

api = router("events", "Hooks that messaging engines call.", any_query=True)
extension = router("events", prefix="/hook-secrets", extension=True)
SecretId = Annotated[UUID, Path(alias="hookSecretUuid")]

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
    responses=errors(400, 401, 403, 413, 503),
    openapi_extra=_hook(BODY),
)
async def report_delivery(ctx: Ctx, user_id: UserId, request: Request, key: Key = None) -> Any:
    return await events.deliver(ctx, user_id, await _delivery(request, key))


@api.post(
    "/webhook/user-channel",
    status_code=202,
    response_model=HookAnswer,
    responses=errors(400, 401, 403, 413, 503),
    openapi_extra=_hook(CHANNEL_BODY),
)
async def report_channel(ctx: Ctx, request: Request, key: Key = None) -> Any:
    delivery = await _delivery(request, key)
    return await events.channel(ctx, _channel_hook(delivery.body), delivery)


@extension.get(
    "", response_model=PageByCursor[HookSecret], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def list_hook_secrets(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(HookSecretWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await events.hook_secrets(ctx, PageArgs(first=limit, after=after), where)


@extension.post(
    "/rotate",
    status_code=201,
    response_model=IssuedHookSecret,
    responses=errors(401, 503),
    openapi_extra={**BEARER},
)
async def rotate_hook_secret(ctx: Ctx) -> Any:
    return await events.rotate_hook_secret(ctx)


@extension.post(
    "/keys",
    status_code=201,
    response_model=IssuedHookSecret,
    responses=errors(401, 409, 503),
    openapi_extra={**BEARER},
)
async def create_hook_key(ctx: Ctx) -> Any:
    return await events.create_hook_key(ctx)


@extension.get(
    "/{hookSecretUuid}",
    response_model=HookSecret,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get_hook_secret(ctx: Ctx, id: SecretId) -> Any:
    return await events.hook_secret(ctx, id)


@extension.delete(
    "/{hookSecretUuid}",
    response_model=HookSecret,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def revoke_hook_secret(ctx: Ctx, id: SecretId) -> Any:
    return await events.revoke_hook_secret(ctx, id)


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
