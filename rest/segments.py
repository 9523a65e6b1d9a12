"""Routes /segments. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import segments
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.segments import NewSegment, PreviewSegment, Segment, SegmentPatch, SegmentPreview, SegmentWhere

api = router("segments", "Contacts that meet conditions.", prefix="/segments", extension=True)
SegmentId = Annotated[UUID, Path(alias="segmentId", description="id of the segment")]


@api.get("", response_model=PageByCursor[Segment], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(SegmentWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await segments.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Segment,
    responses=errors(400, 401, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewSegment) -> Any:
    return await segments.create(ctx, body)


@api.post(
    "/preview",
    response_model=SegmentPreview,
    responses=errors(400, 401, 429, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: PreviewSegment) -> Any:
    return await segments.preview(ctx, body)


@api.get(
    "/{segmentId}", response_model=Segment, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: SegmentId) -> Any:
    return await segments.get(ctx, id)


@api.patch(
    "/{segmentId}",
    response_model=Segment,
    responses=errors(400, 401, 404, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: SegmentId, body: SegmentPatch) -> Any:
    return await segments.update(ctx, id, body)


@api.post(
    "/{segmentId}/count",
    response_model=Segment,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def count(ctx: Ctx, id: SegmentId) -> Any:
    return await segments.count(ctx, id)


@api.delete(
    "/{segmentId}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: SegmentId) -> None:
    return await segments.delete(ctx, id)
