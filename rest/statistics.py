"""Routes under /statistics (specification §4); those of channels and of one project are extensions."""

import builtins
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import statistics
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from shapes import page as pages
from shapes.sending_projects import ProjectChannel
from shapes.shape import Timestamp
from shapes.statistics import (
    ChannelStatistics,
    DeliveryStatusCounts,
    FailureReason,
    GeneralStatistics,
    Interval,
    ProjectStatistics,
    StatisticsKind,
    TotalStatistics,
    VariantStatistics,
)

api = router("statistics", "Message counts by project and by time.")

From = Annotated[
    Timestamp | None,
    Query(
        alias="dateFrom",
        description="start of the time range; default: 24 hours, 30 days, 12 weeks or 12 months before dateTo",
    ),
]
Until = Annotated[Timestamp | None, Query(alias="dateTo", description="end of the time range; default: now")]
Kind = Annotated[
    StatisticsKind,
    Query(
        description="project: messages of projects; direct: single messages, without inbound ones and tests; "
        "all: the sum of both"
    ),
]
Zone = Annotated[
    str,
    Query(
        max_length=64, description="IANA time zone whose hours and days are used", examples=["Europe/Berlin"]
    ),
]
ProjectId = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]
Channel = Annotated[ProjectChannel | None, Query(description="only messages of this channel")]


@api.get(
    "/statistics/delivery-status-counts",
    response_model=DeliveryStatusCounts,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def count_by_status(ctx: OwnerCtx, kind: Kind = StatisticsKind.project) -> Any:
    return await statistics.delivery_status_counts(ctx, kind)


@api.get(
    "/statistics/general",
    response_model=GeneralStatistics,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def get_general(
    ctx: OwnerCtx,
    date_from: From = None,
    date_to: Until = None,
    interval: Interval = Interval.day,
    timezone: Zone = "UTC",
    kind: Kind = StatisticsKind.project,
    channel: Channel = None,
) -> Any:
    return await statistics.general(ctx, date_from, date_to, interval, timezone, kind, channel)


@api.get(
    "/statistics/list",
    response_model=pages.Page[ProjectStatistics],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: OwnerCtx, page: Page = 1, limit: Limit = 20) -> Any:
    return await statistics.list(ctx, page, limit)


@api.get(
    "/statistics/total",
    response_model=TotalStatistics,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def get_total(ctx: OwnerCtx, kind: Kind = StatisticsKind.project) -> Any:
    return await statistics.total(ctx, kind)


@api.get(
    "/statistics/channels",
    response_model=builtins.list[ChannelStatistics],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_channels(
    ctx: OwnerCtx,
    date_from: From = None,
    date_to: Until = None,
    interval: Interval = Interval.day,
    timezone: Zone = "UTC",
    kind: Kind = StatisticsKind.project,
) -> Any:
    return await statistics.by_channel(ctx, date_from, date_to, interval, timezone, kind)


@api.get(
    "/statistics/intervals/{sendingProjectUuid}",
    response_model=GeneralStatistics,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_intervals(
    ctx: Ctx,
    id: ProjectId,
    date_from: From = None,
    date_to: Until = None,
    interval: Interval = Interval.day,
    timezone: Zone = "UTC",
) -> Any:
    return await statistics.intervals_of(ctx, id, date_from, date_to, interval, timezone)


@api.get(
    "/statistics/failure-reasons/{sendingProjectUuid}",
    response_model=builtins.list[FailureReason],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_failure_reasons(ctx: Ctx, id: ProjectId) -> Any:
    return await statistics.failure_reasons_of(ctx, id)


@api.get(
    "/statistics/variants/{sendingProjectUuid}",
    response_model=builtins.list[VariantStatistics],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_variants(ctx: Ctx, id: ProjectId) -> Any:
    return await statistics.variants_of(ctx, id)
