"""Routes /verify/{token}, extensions: the page on which a person enters a code."""

from typing import Annotated

from fastapi import Depends, Path, Request, Response

from resolvers import verification_pages
from resolvers.verification_pages import Entry
from rest.frame import code_page
from rest.frame.errors import errors
from rest.frame.forms import form_body, read_form, value
from rest.frame.routing import router
from rest.unsubscribe import EXAMPLE, PAGE
from runtime.context import Ctx

# Programs that people share links by may add query parameters.
api = router("verifications", any_query=True, prefix="/verify", extension=True)
Token = Annotated[str, Path(max_length=64, description="token from `pageUrl`", examples=[EXAMPLE])]
_LONGEST = 32
_ENTER = form_body(
    {
        "code": {"type": "string", "description": "the code", "examples": ["424242"]},
        "resend": {"type": "string", "description": "with any value: the code is sent again"},
    },
)


async def _read(request: Request) -> Entry:
    form = await read_form(request)
    return Entry(value(form, "code", _LONGEST), bool(value(form, "resend", _LONGEST)))


@api.get("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def show(ctx: Ctx, token: Token) -> Response:
    return code_page.answer(await verification_pages.show(ctx, token))


@api.post(
    "/{token}",
    responses={**PAGE, **errors(400, 404, 429, 503), 303: {"description": "the owner's page"}},
    response_class=Response,
    openapi_extra=_ENTER,
)
async def enter(ctx: Ctx, token: Token, input: Annotated[Entry, Depends(_read)]) -> Response:
    return code_page.answer(await verification_pages.enter(ctx, token, input))
