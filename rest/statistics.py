"""/statistics, /queue, /sending-project-processing: specification §4."""

from typing import Annotated, Any

from fastapi import Query

from postern.context import Ctx
from resolvers import statistics
from rest.errors import errors
from rest.routing import BEARER, Limit, Page, router
from schema.types import page as pages
from schema.types.shape import Timestamp
from schema.types.statistics import (
    DeliveryStatusCounts,
    GeneralStatistics,
    Interval,
    ProcessingHealth,
    ProjectStatistics,
    QueueStatistics,
    StatisticsKind,
    TotalStatistics,
)

api = router("statistics")

From = Annotated[
    Timestamp | None,
    Query(alias="dateFrom", description="default: 24 hours, 30 days, 12 weeks or 12 months before dateTo"),
]
Until = Annotated[Timestamp | None, Query(alias="dateTo", description="default: now")]
Kind = Annotated[
    StatisticsKind,
    Query(
        description="messages of projects, direct ones (without those that come in and tests), or their sum"
    ),
]
Zone = Annotated[str, Query(max_length=64, description="whose hours and days", examples=["Europe/Berlin"])]


@api.get(
    "/statistics/delivery-status-counts",
    response_model=DeliveryStatusCounts,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def delivery_status_counts(ctx: Ctx, kind: Kind = StatisticsKind.project) -> Any:
    """Where your messages are just now, and why some failed or were skipped."""
    return await statistics.delivery_status_counts(ctx, kind)


@api.get(
    "/statistics/general",
    response_model=GeneralStatistics,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def general(
    ctx: Ctx,
    date_from: From = None,
    date_to: Until = None,
    interval: Interval = Interval.day,
    timezone: Zone = "UTC",
    kind: Kind = StatisticsKind.project,
) -> Any:
    """What happened, by hours, days, weeks or months of a time zone: all that the span touches, each whole, at most 2000."""
    return await statistics.general(ctx, date_from, date_to, interval, timezone, kind)


@api.get(
    "/statistics/list",
    response_model=pages.Page[ProjectStatistics],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, page: Page = 1, limit: Limit = 20) -> Any:
    """Your projects in numbers, newest first."""
    return await statistics.list(ctx, page, limit)


@api.get(
    "/statistics/total",
    response_model=TotalStatistics,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def total(ctx: Ctx, kind: Kind = StatisticsKind.project) -> Any:
    """All your messages together; those of deleted projects too."""
    return await statistics.total(ctx, kind)


@api.get(
    "/queue/statistics",
    response_model=QueueStatistics,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def queue(ctx: Ctx) -> Any:
    """What of yours waits, how fast it moves, and who moves it."""
    return await statistics.queue(ctx)


@api.get(
    "/sending-project-processing/health-check",
    response_model=ProcessingHealth,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def processing(ctx: Ctx) -> Any:
    """Whether the work on your running, paused and scheduled projects goes on."""
    return await statistics.processing(ctx)
