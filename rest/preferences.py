"""Routes /preferences/{token}, extensions: the page on which a person chooses what to get."""

from typing import Annotated

from fastapi import Depends, Path, Request, Response

from resolvers import preferences
from resolvers.preferences import Selection
from resolvers.signups.page_texts import LANGUAGES
from rest.frame import signup_pages
from rest.frame.errors import errors
from rest.frame.forms import form_body, read_form, value
from rest.frame.routing import router
from rest.unsubscribe import EXAMPLE, PAGE
from runtime.context import Ctx

api = router("topics", any_query=True, prefix="/preferences", extension=True)
Token = Annotated[
    str, Path(max_length=64, description="token from the link of a message", examples=[EXAMPLE])
]
_TEXT = {"type": "string"}
_CHOOSE = form_body(
    {
        "topic": {
            "type": "array",
            "items": _TEXT,
            "description": "the boxes that are ticked, each as the id of a topic, a colon and a channel",
            "examples": [["01890000-0000-7000-8000-000000000002:email"]],
        },
        "shown": {
            "type": "array",
            "items": _TEXT,
            "description": "the boxes that the person saw, in the same form: those that are not ticked are withdrawn",
            "examples": [["01890000-0000-7000-8000-000000000002:email"]],
        },
        "locale": {**_TEXT, "description": "language of the person", "examples": ["de"]},
        "nothing": {**_TEXT, "description": "with any value: nothing is wanted"},
    },
)


async def _read(request: Request) -> Selection:
    form = await read_form(request)
    locale = value(form, "locale")
    seen, boxes = (
        {(id, channel) for id, _, channel in (each.partition(":") for each in form.get(name, ()))}
        for name in ("shown", "topic")
    )
    return Selection(seen, boxes, locale if locale in LANGUAGES else None, bool(value(form, "nothing")))


@api.get("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def show(ctx: Ctx, token: Token) -> Response:
    return signup_pages.preferences(await preferences.show(ctx, token))


@api.post(
    "/{token}",
    responses={**PAGE, **errors(400, 404, 429, 503)},
    response_class=Response,
    openapi_extra=_CHOOSE,
)
async def save(ctx: Ctx, token: Token, input: Annotated[Selection, Depends(_read)]) -> Response:
    return signup_pages.preferences(await preferences.save(ctx, token, input))
