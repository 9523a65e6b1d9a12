"""Route /web-copy/{token}, an extension: the copy of an email on the web.

The HTML of the author is answered as it is, and may do nothing: the policy makes a sandbox of the page, in which no
script runs, no form is sent, and no file of ours is read. Links open in windows of their own, outside of it.
"""

from typing import Annotated, Any, Final

from fastapi import Path, Response

from core.http import html
from core.http.html import Html, tag
from resolvers import web_copies
from resolvers.web_copies import WebCopy
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx
from shapes.locales import language_of

api = router("web copies", "Copies of emails on the web.", any_query=True, prefix="/web-copy", extension=True)

EXAMPLE: Final = "AZqfbnwAcACAAF86HCtNbqChoqOkpaanqKmqq6ytrq8"
Token = Annotated[
    str, Path(max_length=64, description="token from the link in the email", examples=[EXAMPLE])
]
_PAGE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "the email", "content": {"text/html": {"schema": {"type": "string"}}}}
}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src https: http: data:;"
        " style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@api.get("/{token}", responses={**_PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def show(ctx: Ctx, token: Token) -> Response:
    return _page(await web_copies.show(ctx, token))


def _page(copy: WebCopy) -> Response:
    letter = copy.letter
    if letter.html is not None:
        return Response(letter.html, headers=_HEADERS, media_type="text/html")
    body = html.page(
        letter.subject,
        tag("h1", letter.subject, dir="auto"),
        *_paragraphs(letter.text),
        language=language_of(letter.locale) if letter.locale else "en",
        dress=copy.dress,
    )
    headers = {**html.public_headers(copy.dress, form_action="'none'"), "Referrer-Policy": "no-referrer"}
    return Response(body, headers=headers, media_type="text/html")


def _paragraphs(text: str) -> list[Html]:
    """Returns a plain text as paragraphs, each with its lines."""
    blocks = text.replace("\r\n", "\n").strip("\n").split("\n\n")
    return [tag("p", *_lines(block), dir="auto") for block in blocks if block.strip()]


def _lines(block: str) -> list[str]:
    lines: list[str] = []
    for line in block.strip("\n").split("\n"):
        lines += [tag("br"), line] if lines else [line]
    return lines
