"""Routes /unsubscribe/{token}, an extension: the List-Unsubscribe address of a project's email (RFC 8058)."""

from typing import Annotated, Any

from fastapi import Path, Response

from resolvers import unsubscribe
from rest.frame import html
from rest.frame.errors import errors
from rest.frame.html import tag
from rest.frame.routing import router
from rest.frame.unsubscribe_texts import Words, words_of
from runtime.context import Ctx

# Mail programs may add query parameters to the URL.
api = router(
    "unsubscribe", "Unsubscribe links in emails.", any_query=True, prefix="/unsubscribe", extension=True
)
EXAMPLE = "AZqfbnwAcACAAF86HCtNbqChoqOkpaanqKmqq6ytrq8"
Token = Annotated[
    str, Path(max_length=64, description="token from the unsubscribe link of the email", examples=[EXAMPLE])
]
PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "an HTML page", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@api.get("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def ask(ctx: Ctx, token: Token) -> Response:
    """Returns an HTML page with an unsubscribe button. Opening the page changes nothing, because link checkers open
    every link.
    """
    done, locale = await unsubscribe.stands(ctx, token)
    return page(words_of(locale), done=done)


@api.post("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def confirm(ctx: Ctx, token: Token) -> Response:
    """Unsubscribes the recipient from promotional messages of this sender. Repeating it is not an error; the request
    body is ignored.
    """
    return page(words_of(await unsubscribe.confirm(ctx, token)), done=True)


def page(words: Words, *, done: bool) -> Response:
    """Returns the page, before (with the button) or after unsubscribing."""
    title = words.done_title if done else words.ask_title
    text = words.done if done else words.ask
    form = tag(
        "form",
        tag("button", words.button, type="submit", name="List-Unsubscribe", value="One-Click"),
        method="post",
    )
    body = html.page(title, tag("h1", title), tag("p", text), None if done else form, language=words.language)
    return Response(body, headers=html.PUBLIC_HEADERS, media_type="text/html")
