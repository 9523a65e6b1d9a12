"""Routes /unsubscribe/{token}, an extension: the List-Unsubscribe address of a project's email (RFC 8058)."""

from typing import Annotated, Any

from fastapi import Path, Response

from core.http import html
from core.http.html import tag
from resolvers import unsubscribe
from resolvers.signups.page_texts import signup_words
from resolvers.unsubscribe import UnsubscribePage
from rest.frame.errors import errors
from rest.frame.routing import router
from rest.frame.unsubscribe_texts import words_of
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
    return page(await unsubscribe.stands(ctx, token))


@api.post("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def confirm(ctx: Ctx, token: Token) -> Response:
    return page(await unsubscribe.confirm(ctx, token))


def page(page: UnsubscribePage) -> Response:
    """Returns the page, before (with the button) or after unsubscribing, or that of a test message's link."""
    words = words_of(page.locale)
    if page.trial:
        parts = (tag("h1", words.trial_title), tag("p", words.trial))
        body = html.page(words.trial_title, *parts, language=words.language, dress=page.dress)
        return Response(body, headers=html.public_headers(page.dress), media_type="text/html")
    title = words.done_title if page.done else words.ask_title
    names = tag("ul", *(tag("li", tag("bdi", name)) for name in page.topics))
    text = names if page.topics else tag("p", words.done if page.done else words.ask)
    form = tag(
        "form",
        tag("button", words.button, type="submit", name="List-Unsubscribe", value="One-Click"),
        method="post",
    )
    choose = tag("p", tag("a", signup_words(page.locale).preferences_title, href=page.preferences_url))
    body = html.page(
        title,
        tag("h1", title),
        text,
        None if page.done else form,
        choose if page.preferences_url else None,
        language=words.language,
        dress=page.dress,
    )
    return Response(body, headers=html.public_headers(page.dress), media_type="text/html")
