"""Routes /l/{token} and /sending-project/{id}/links. They are Postern's own."""

from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Request, Response

from resolvers import clicks
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Context, Ctx
from runtime.fast.endpoints import with_context
from runtime.fast.router import FastRoute
from shapes.clicks import ClickedLink

api = router("clicks", "Links of emails, and who has clicked on them.", extension=True, any_query=True)
of_projects = router("projects", prefix="/sending-project", extension=True)

EXAMPLE: Final = "AZqfbnwAcACAAF86HCtNbqChoqOkpaanqKmqq6ytrq8" * 2
Token = Annotated[
    str, Path(max_length=90, description="tokens from the link in the email", examples=[EXAMPLE])
]
Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]
_HTML: Final = {"text/html": {"schema": {"type": "string"}}}
_MISSING: Final = errors(404)[404]
_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    302: {
        "description": "the target is in the header Location",
        "headers": {"Location": {"schema": {"type": "string"}}},
    },
    404: {**_MISSING, "content": {**_MISSING["content"], **_HTML}},
    **errors(400, 503),
}
# The target must not learn the address of ours, which is the recipient's own.
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_RAW_HEADERS: Final = [
    *((name.lower().encode(), value.encode()) for name, value in _HEADERS.items()),
    (b"content-length", b"0"),
]


@api.head("/l/{token}", status_code=302, response_class=Response, include_in_schema=False)
@api.get("/l/{token}", status_code=302, response_class=Response, responses=_ANSWERS)
async def follow(ctx: Ctx, request: Request, token: Token) -> Response:
    target = await clicks.follow(ctx, token, is_head=request.method == "HEAD")
    return Response(status_code=302, headers={**_HEADERS, "Location": target})


class _Redirect(Response):
    """The same answer as that of `follow`, whose headers are written once."""

    def __init__(self, target: str) -> None:
        self.status_code, self.body, self.background = 302, b"", None
        self.raw_headers = [*_RAW_HEADERS, (b"location", target.encode("ascii"))]


async def _fast(ctx: Context, request: Request) -> Response:
    is_head = request.method == "HEAD"
    return _Redirect(await clicks.follow(ctx, request.path_params["token"], is_head=is_head))


for _route in api.routes:
    if isinstance(_route, FastRoute):
        _route.fast = with_context(_fast)


@of_projects.get(
    "/{sendingProjectUuid}/links",
    response_model=list[ClickedLink],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def of_project(ctx: Ctx, id: Id) -> Any:
    return await clicks.of_project(ctx, id)
