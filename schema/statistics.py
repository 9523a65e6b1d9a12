"""Statistics, the queue, and how the work on projects goes, in GraphQL."""

from datetime import datetime

import strawberry

from resolvers import statistics
from schema import graphql
from schema.graphql import Info
from schema.types import statistics as types
from schema.types.page import Meta
from schema.types.statistics import Interval

for shape in (
    types.Rates,
    types.CountedProject,
    types.ProjectStatistics,
    types.TotalStatistics,
    types.DeliveryStatusCounts,
    types.IntervalStatistics,
    types.GeneralStatistics,
    types.QueuedProject,
    types.QueueWorker,
    types.QueueStatistics,
    types.ProcessedProject,
    types.ProcessingHealth,
):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type(description="A page of projects in numbers.")
class ProjectStatisticsPage:
    items: list[types.ProjectStatistics] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("Where your messages are just now, and why some failed or were skipped.")
    async def delivery_status_counts(self, info: Info) -> types.DeliveryStatusCounts | None:
        return await statistics.delivery_status_counts(info.context)

    @graphql.query(
        "What happened, by intervals of a time zone: all that the span touches, each whole, at most 2000."
    )
    async def statistics_general(
        self,
        info: Info,
        date_from: datetime | None = None,
        date_to: datetime | None = None,
        interval: Interval = Interval.day,
        timezone: str = "UTC",
    ) -> types.GeneralStatistics | None:
        return await statistics.general(info.context, date_from, date_to, interval, timezone)

    @graphql.query("Your projects in numbers, newest first.")
    async def statistics_list(
        self, info: Info, page: int = 1, limit: int = 20
    ) -> ProjectStatisticsPage | None:
        return graphql.page(ProjectStatisticsPage, await statistics.list(info.context, page, limit))

    @graphql.query("All your projects together; messages of deleted ones too.")
    async def statistics_total(self, info: Info) -> types.TotalStatistics | None:
        return await statistics.total(info.context)

    @graphql.query("What of yours waits, how fast it moves, and who moves it.")
    async def queue_statistics(self, info: Info) -> types.QueueStatistics | None:
        return await statistics.queue(info.context)

    @graphql.query("Whether the work on your running, paused and scheduled projects goes on.")
    async def processing_health(self, info: Info) -> types.ProcessingHealth | None:
        return await statistics.processing(info.context)
