"""Routes /media: pictures of letters. They are Postern's own."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from core.http.multipart import Reader
from db.lists import Conditions, PageArgs
from resolvers import media
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, bearer, router
from runtime import links
from runtime.context import Ctx
from shapes.media import Picture, PictureWhere, StoredPicture
from shapes.page import PageByCursor

api = router("media", "Pictures of letters, at public addresses.", prefix="/media", extension=True)

_IMAGE = {"schema": {"type": "string", "format": "binary"}}
_SERVED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the picture",
        "content": {"image/png": _IMAGE, "image/jpeg": _IMAGE, "image/gif": _IMAGE},
    },
    304: {"description": "it is the picture of If-None-Match"},
}
_FORM = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {"file": {"type": "string", "format": "binary", "examples": ["the bytes"]}},
            }
        }
    },
}
# What is served was written by us, and still no browser may run it as a page of ours, or guess another type.
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
PictureId = Annotated[UUID, Path(alias="pictureUuid", description="uuid of the picture")]
Force = Annotated[bool, Query(description="whether it is deleted although it is in use")]
Name = Annotated[str, Path(max_length=128, description="the end of the picture's address")]
IfNoneMatch = Annotated[
    str | None, Header(alias="If-None-Match", max_length=1024, description="the tag of a copy that you have")
]


@api.post(
    "",
    status_code=201,
    response_model=Picture,
    responses=errors(400, 401, 409, 413, 422, 429, 503),
    openapi_extra={**bearer(requestBody=_FORM), **IDEMPOTENT},
)
async def upload(ctx: Ctx, request: Request) -> Any:
    form = Reader(request.headers.get("content-type", ""), request.stream())
    return _with_url(ctx, await media.upload(ctx, form))


@api.get("", response_model=PageByCursor[Picture], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx, where: Annotated[Conditions, filters_of(PictureWhere)], after: After = None, limit: Limit = 20
) -> Any:
    rows = await media.page(ctx, PageArgs(first=limit, after=after), where)
    return replace(rows, nodes=[_with_url(ctx, row) for row in rows.nodes])


@api.get(
    "/info/{pictureUuid}",
    response_model=Picture,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: PictureId) -> Any:
    return _with_url(ctx, await media.get(ctx, id))


@api.delete(
    "/info/{pictureUuid}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete(ctx: Ctx, id: PictureId, force: Force = False) -> None:
    return await media.delete(ctx, id, force)


@api.get("/{name}", response_class=Response, responses={**_SERVED, **errors(400, 404, 503)})
async def serve(ctx: Ctx, name: Name, if_none_match: IfNoneMatch = None) -> Response:
    return _response(await media.serve(ctx, name, if_none_match))


def _response(picture: media.ServedPicture) -> Response:
    headers = {**_HEADERS, "ETag": picture.etag}
    if picture.pieces is None:
        return Response(status_code=304, headers=headers)
    headers["Content-Length"] = str(picture.size)
    return StreamingResponse(picture.pieces, 200, headers, media_type=picture.mime)


def _with_url(ctx: Ctx, row: Any) -> Any:
    fields = {name: getattr(row, name) for name in StoredPicture.model_fields}
    return SimpleNamespace(**fields, url=links.picture_url(ctx.services, row.public_name))
