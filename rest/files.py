"""Routes under /file-uploader (specification §4); uploads, the list and deletion are extensions."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from core.http.multipart import Reader
from db.lists import Conditions, PageArgs
from resolvers import files
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, After, Limit, bearer, router
from runtime.context import Ctx
from shapes.files import File, FileWhere
from shapes.page import PageByCursor

api = router("files", "Files: attachments, imports and exports.", prefix="/file-uploader")

_BYTES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
    for status, description in (
        (200, "the file's bytes, as an attachment"),
        (206, "the requested range of bytes"),
    )
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
Name = Annotated[str, Path(alias="fileOriginalName", max_length=128, description="the file's `originalName`")]
Expires = Annotated[int | None, Query(ge=0, le=2**53, description="part of a signed link")]
MadeBy = Annotated[
    UUID | None,
    Query(alias="by", description="part of the signed link: the login or API token it was made for"),
]
Signature = Annotated[str | None, Query(max_length=64, description="part of a signed link")]
ByteRange = Annotated[
    str | None, Header(alias="Range", description="one range of bytes to return", examples=["bytes=0-99"])
]
Unless = Annotated[
    str | None,
    Header(
        alias="If-Range",
        description="ETag of the file that the range refers to; if the file has changed, all of it is returned",
    ),
]


@api.get(
    "/info/{fileUuid}",
    response_model=File,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="fileUuid")]) -> Any:
    return await files.get(ctx, id)


@api.get(
    "/payload/{fileOriginalName}",
    response_class=Response,
    responses={**_BYTES, **errors(400, 401, 403, 404, 503)},
    openapi_extra={"security": [{"bearer": []}, {}]},
)
async def download(
    ctx: Ctx,
    name: Name,
    expires: Expires = None,
    signature: Signature = None,
    made_by: MadeBy = None,
    byte_range: ByteRange = None,
    unless: Unless = None,
) -> Response:
    return attachment(await files.payload(ctx, name, expires, signature, made_by, byte_range, unless))


@api.post(
    "",
    status_code=201,
    response_model=File,
    responses=errors(400, 401, 409, 413, 422, 503),
    openapi_extra={**bearer(requestBody=_FORM), **IDEMPOTENT},
    tags=EXTENSION,
)
async def upload(ctx: Ctx, request: Request) -> Any:
    """Uploads a file, as the part `file` of a multipart form."""
    return await files.upload(ctx, Reader(request.headers.get("content-type", ""), request.stream()))


@api.get(
    "",
    response_model=PageByCursor[File],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list(
    ctx: Ctx, where: Annotated[Conditions, filters_of(FileWhere)], after: After = None, limit: Limit = 20
) -> Any:
    return await files.page(ctx, PageArgs(first=limit, after=after), where)


@api.delete(
    "/{fileUuid}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def delete(ctx: Ctx, id: Annotated[UUID, Path(alias="fileUuid")]) -> None:
    return await files.delete(ctx, id)


def attachment(download: files.Payload) -> Response:
    """Returns the file as a download that no browser runs under our origin: attachment, no sniffing, sandbox."""
    file, size = download.file, download.end - download.start
    ascii_name = "".join(char if char.isascii() and char not in '"\\%' else "_" for char in file.name)
    headers = {
        "Content-Disposition": f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(file.name, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
        "Accept-Ranges": "bytes",
        "ETag": files.etag(file),
        "Content-Length": str(size),
    }
    if download.partial:
        headers["Content-Range"] = f"bytes {download.start}-{download.end - 1}/{file.size}"
    status = 206 if download.partial else 200
    return StreamingResponse(download.pieces, status, headers, media_type=file.mime)
