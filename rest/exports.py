"""Routes under /export-link (specification §4); the list is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import exports
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.exports import (
    ExportLink,
    ExportLinkWhere,
    ExportVariable,
    HandleExport,
    ListedExportLink,
    StartExport,
)
from shapes.page import PageByCursor

api = router("exports", "Exports of data to files, and contacts from integrations.", prefix="/export-link")

LinkId = Annotated[UUID, Path(alias="exportLinkUuid", description="uuid of the export link")]
OfSource = Annotated[
    str, Path(pattern="^[a-z0-9-]{1,40}$", description="an export source, or the name of an integration")
]


@api.post(
    "/start",
    status_code=201,
    response_model=ExportLink,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def start(ctx: Ctx, body: StartExport) -> Any:
    return await exports.start(ctx, body)


@api.post(
    "/handle",
    response_model=ExportLink,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def handle(ctx: Ctx, body: HandleExport) -> Any:
    return await exports.handle(ctx, body)


@api.post(
    "/cancel/{exportLinkUuid}",
    response_model=ExportLink,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def cancel(ctx: Ctx, export_link_uuid: LinkId) -> Any:
    return await exports.cancel(ctx, export_link_uuid)


@api.get(
    "/variables/{source}",
    response_model=list[ExportVariable],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_variables(ctx: Ctx, source: OfSource) -> Any:
    return await exports.variables(ctx, source)


@api.get(
    "/{exportLinkUuid}",
    response_model=ExportLink,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, export_link_uuid: LinkId) -> Any:
    return await exports.get(ctx, export_link_uuid)


@api.get(
    "",
    response_model=PageByCursor[ListedExportLink],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ExportLinkWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists your export links, newest first; administrators get those of all users. The signed link to a file is in the
    answer about one export.
    """
    return await exports.page(ctx, PageArgs(first=limit, after=after), where)
