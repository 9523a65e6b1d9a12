"""Routes /preferences/{token}/your-data and /your-data/{token}, extensions: people ask for their own data."""

from typing import Annotated

from fastapi import Depends, Path, Request, Response

from core.errors import ValidationFailed
from resolvers import self_service
from rest.frame import signup_pages
from rest.frame.errors import errors
from rest.frame.forms import form_body, read_form, value
from rest.frame.routing import router
from rest.unsubscribe import EXAMPLE, PAGE
from runtime.context import Ctx
from shapes.self_service import SelfService

# Mail programs may add query parameters to links.
api = router("topics", any_query=True, extension=True)
Token = Annotated[
    str, Path(max_length=64, description="token from the link of a message", examples=[EXAMPLE])
]
_KINDS = [kind.value for kind in SelfService]
_ASK = form_body(
    {
        "request": {
            "type": "string",
            "enum": _KINDS,
            "description": "what is asked for",
            "examples": ["export"],
        }
    },
    "request",
)
_CONFIRM = form_body({})


async def _read(request: Request) -> SelfService:
    kind = value(await read_form(request), "request")
    if kind not in _KINDS:
        raise ValidationFailed([f"request: must be {' or '.join(_KINDS)}"])
    return SelfService(kind)


@api.post(
    "/preferences/{token}/your-data",
    responses={**PAGE, **errors(400, 404, 429, 503)},
    response_class=Response,
    openapi_extra=_ASK,
)
async def ask(ctx: Ctx, token: Token, input: Annotated[SelfService, Depends(_read)]) -> Response:
    return signup_pages.self_service_sent(await self_service.ask(ctx, token, input))


@api.get("/your-data/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def show(ctx: Ctx, token: Token) -> Response:
    return signup_pages.self_service(await self_service.show(ctx, token))


@api.post(
    "/your-data/{token}",
    responses={**PAGE, **errors(400, 404, 409, 429, 503)},
    response_class=Response,
    openapi_extra=_CONFIRM,
)
async def confirm(ctx: Ctx, token: Token) -> Response:
    return signup_pages.self_service(await self_service.confirm(ctx, token))
