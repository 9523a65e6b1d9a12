"""Routes /signup and /opt-in, extensions: pages on which people subscribe to topics."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Request, Response

from resolvers import signups
from resolvers.signups import SignUp
from resolvers.signups.page_texts import LANGUAGES, signup_words
from rest.frame import signup_pages
from rest.frame.errors import errors
from rest.frame.forms import form_body, read_form, value
from rest.frame.routing import router
from rest.unsubscribe import PAGE
from runtime.context import Ctx
from shapes.locales import preferred_of

# Links may get query parameters from mail programs, and forms from the pages that they stand in.
api = router("topics", any_query=True, extension=True)
FormId = Annotated[UUID, Path(alias="formId", description="id of the sign-up form")]
EXAMPLE = "AZqfbnwAcACAAF86HCtNbqChoqOkpaanqKmqq6ytrq8"
Token = Annotated[
    str, Path(max_length=64, description="token from the link of a message", examples=[EXAMPLE])
]
_TEXT = {"type": "string"}
_LONGEST_NAME = 100
_SIGN_UP = form_body(
    {
        "email": {**_TEXT, "description": "the address to subscribe", "examples": ["anna@example.com"]},
        "name": {**_TEXT, "description": "name of the person", "examples": ["Anna Berg"]},
        "locale": {**_TEXT, "description": "language tag (BCP 47)", "examples": ["de"]},
        "topic": {
            "type": "array",
            "items": _TEXT,
            "description": "keys of topics of the form, which may be left out if it has one",
            "examples": [["newsletter"]],
        },
        "website": {**_TEXT, "description": "must stay empty: programs that fill in every field are ignored"},
    },
    "email",
)
_CONFIRM = form_body({})


def _name(text: str) -> str | None:
    """Returns a name as a person may have it. Others would put texts and links of theirs into messages by it."""
    fits = len(text) <= _LONGEST_NAME and text.isprintable() and "/" not in text and "@" not in text
    return text if text and fits else None


async def _read(request: Request) -> SignUp:
    form = await read_form(request)
    locale = value(form, "locale")
    return SignUp(
        value(form, "email", 320),
        _name(value(form, "name")),
        signup_words(locale).language if locale else None,
        [key for key in form.get("topic", ()) if key],
        value(form, "website"),
    )


@api.get("/signup/{formId}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def form(ctx: Ctx, id: FormId, request: Request) -> Response:
    language = preferred_of(request.headers.get("accept-language"), LANGUAGES)
    return signup_pages.signup(await signups.form(ctx, id, language))


@api.post(
    "/signup/{formId}",
    responses={**PAGE, **errors(400, 404, 429, 503), 303: {"description": "the form's own page"}},
    response_class=Response,
    openapi_extra=_SIGN_UP,
)
async def sign_up(ctx: Ctx, id: FormId, input: Annotated[SignUp, Depends(_read)]) -> Response:
    return signup_pages.signed_up(await signups.sign_up(ctx, id, input))


@api.get("/opt-in/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def opt_in(ctx: Ctx, token: Token) -> Response:
    return signup_pages.opt_in(await signups.opt_in(ctx, token))


@api.post(
    "/opt-in/{token}",
    responses={**PAGE, **errors(400, 404, 429, 503)},
    response_class=Response,
    openapi_extra=_CONFIRM,
)
async def confirm(ctx: Ctx, token: Token) -> Response:
    return signup_pages.opt_in(await signups.confirm(ctx, token))
