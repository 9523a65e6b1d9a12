"""Route /undo/{token}, an extension: users undo a change of their email, or their deletion, by a mailed link."""

from typing import Annotated

from fastapi import Path, Response

from core.http import html
from core.http.html import tag
from resolvers import undo
from resolvers.undo import UndoPage
from rest.frame.errors import errors
from rest.frame.forms import form_body
from rest.frame.routing import router
from rest.unsubscribe import EXAMPLE, PAGE
from runtime.context import Ctx

# Mail programs may add query parameters to links.
api = router("users", any_query=True, prefix="/undo", extension=True)
Token = Annotated[str, Path(max_length=64, description="token from the link of a mail", examples=[EXAMPLE])]


@api.get("/{token}", responses={**PAGE, **errors(400, 404, 429, 503)}, response_class=Response)
async def show(ctx: Ctx, token: Token) -> Response:
    return _page(await undo.show(ctx, token))


@api.post(
    "/{token}",
    responses={**PAGE, **errors(400, 403, 404, 429, 503)},
    response_class=Response,
    openapi_extra=form_body({}),
)
async def confirm(ctx: Ctx, token: Token) -> Response:
    return _page(await undo.confirm(ctx, token))


def _page(page: UndoPage) -> Response:
    words = page.words
    title = words.done_title if page.done else words.page_title
    text = words.done if page.done else words.page
    form = tag("form", tag("button", words.button, type="submit"), method="post")
    body = html.page(
        title,
        tag("h1", title),
        tag("p", words.page_deleted) if page.is_deletion and not page.done else None,
        tag("p", text.format(email=page.email), role="status" if page.done else None),
        None if page.done else form,
        language=words.language,
    )
    return Response(body, headers=html.public_headers(), media_type="text/html")
