"""Routes /series. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import series
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.series import (
    NewSeries,
    Series,
    SeriesEntry,
    SeriesEntryWhere,
    SeriesPatch,
    SeriesWhere,
    StartSeries,
)
from shapes.series_plans import SeriesPlan, SeriesStatistics

api = router(
    "series",
    "Messages that a person gets one after the other, after an entry into a topic or a segment.",
    prefix="/series",
    extension=True,
)
SeriesId = Annotated[UUID, Path(alias="seriesId", description="id of the series")]
EntryId = Annotated[UUID, Path(alias="entryId", description="id of the entry")]


@api.get("", response_model=PageByCursor[Series], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(SeriesWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await series.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Series,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewSeries) -> Any:
    return await series.create(ctx, body)


@api.get(
    "/entries/{entryId}",
    response_model=SeriesEntry,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def entry(ctx: Ctx, id: EntryId) -> Any:
    return await series.entry(ctx, id)


@api.get("/{seriesId}", response_model=Series, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: SeriesId) -> Any:
    return await series.get(ctx, id)


@api.patch(
    "/{seriesId}", response_model=Series, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: SeriesId, body: SeriesPatch) -> Any:
    return await series.update(ctx, id, body)


@api.get(
    "/{seriesId}/entries",
    response_model=PageByCursor[SeriesEntry],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def entries(
    ctx: Ctx,
    id: SeriesId,
    where: Annotated[Conditions, filters_of(SeriesEntryWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await series.entries(ctx, id, PageArgs(first=limit, after=after), where)


@api.get(
    "/{seriesId}/statistics",
    response_model=SeriesStatistics,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def statistics(ctx: Ctx, id: SeriesId) -> Any:
    return await series.statistics(ctx, id)


@api.post(
    "/{seriesId}/plan",
    response_model=SeriesPlan,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def plan(ctx: Ctx, id: SeriesId) -> Any:
    return await series.plan(ctx, id)


@api.post(
    "/{seriesId}/start",
    response_model=Series,
    responses=errors(400, 401, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def start(ctx: Ctx, id: SeriesId, body: StartSeries) -> Any:
    return await series.start(ctx, id, body)


@api.post(
    "/{seriesId}/pause",
    response_model=Series,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def pause(ctx: Ctx, id: SeriesId) -> Any:
    return await series.pause(ctx, id)


@api.post(
    "/{seriesId}/archive",
    response_model=Series,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def archive(ctx: Ctx, id: SeriesId) -> Any:
    return await series.archive(ctx, id)
