"""Routes /unsubscribe/{token}, an extension: the List-Unsubscribe address of a project's email (RFC 8058)."""

import base64
import hashlib
from typing import Annotated, Any

from fastapi import Path, Response

from resolvers import unsubscribe
from rest.frame.errors import errors
from rest.frame.html import Html, tag
from rest.frame.routing import router
from rest.frame.unsubscribe_texts import Words, words_of
from runtime.context import Ctx

# Mail programs may add query parameters to the URL.
api = router("unsubscribe", any_query=True, prefix="/unsubscribe")
EXAMPLE = "AZqfbnwAcACAAF86HCtNbqChoqOkpaanqKmqq6ytrq8"
Token = Annotated[
    str, Path(max_length=64, description="token from the unsubscribe link of the email", examples=[EXAMPLE])
]
PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "an HTML page", "content": {"text/html": {"schema": {"type": "string"}}}}
}

_STYLE = Html(
    ":root{color-scheme:light dark}"
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem}"
    "button{font:inherit;padding:.5rem 1.5rem;cursor:pointer}"
)
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
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
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", _STYLE),
    )
    body = tag("body", tag("h1", title), tag("p", text), None if done else form)
    html = f"<!doctype html>\n{tag('html', head, body, lang=words.language)}\n"
    return Response(html, headers=_HEADERS, media_type="text/html")
