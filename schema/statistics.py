"""Statistics in GraphQL."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import sending_projects, statistics
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import Info, OwnerId, owned
from schema.frame.loaders import relation
from shapes import statistics as types
from shapes.project_counts import ProjectCounts
from shapes.project_lists import SendingProjectOrder, SendingProjectWhere
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Shape
from shapes.statistics import (
    ChannelStatistics,
    FailureReason,
    Interval,
    IntervalStatistics,
    Rates,
    StatisticsKind,
    VariantStatistics,
)

if TYPE_CHECKING:
    from schema.sending_projects import SendingProject

Kind = Annotated[StatisticsKind, graphql.argument("which messages are counted")]
DateFrom = Annotated[
    datetime | None,
    graphql.argument(
        "start of the first interval; default: 24 hours, 30 days, 12 weeks or 12 months before dateTo"
    ),
]
DateTo = Annotated[datetime | None, graphql.argument("end of the last interval; default: now")]
Timezone = Annotated[str, graphql.argument("IANA time zone of the intervals")]

for shape in (
    Rates,
    VariantStatistics,
    types.TotalStatistics,
    types.DeliveryStatusCounts,
    FailureReason,
    IntervalStatistics,
    ChannelStatistics,
    types.GeneralStatistics,
):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


async def projects_of(rows: Any, info: Info) -> Any:
    """Returns the projects that rows of statistics are about."""
    return as_type(await sending_projects.by_ids(info.context, [row.id for row in rows], info.columns))


@graphql.type(name="ProjectStatistics", description=types.ProjectStatistics.__doc__)
class ProjectStatistics(Shape):
    """Calculated from the row of a project."""

    @relation("the project")
    async def project(rows: Any, info: Info) -> list[Project | None]:
        return await projects_of(rows, info)

    @graphql.computed("its messages by state", "counts", name="counts")
    def typed_counts(self: Any) -> ProjectCounts:
        return ProjectCounts.model_validate(self.counts)

    @graphql.computed("delivery rates of these messages", "counts")
    def rates(self: Any) -> Rates:
        return statistics.rates(ProjectCounts.model_validate(self.counts))

    @relation(
        "the same counts for each variant that was sent, or of each language; at most 20", cost=Cost(most=20)
    )
    async def variants(rows: Any, info: Info) -> list[list[VariantStatistics] | None]:
        return as_type(await statistics.variants(info.context, [row.id for row in rows]))


@strawberry.type
class Query:
    @graphql.query()
    async def delivery_status_counts(
        self, info: Info, kind: Kind = StatisticsKind.project, owner_id: OwnerId = None
    ) -> types.DeliveryStatusCounts | None:
        return await statistics.delivery_status_counts(await owned(info, owner_id), kind)

    @graphql.query()
    async def statistics_general(
        self,
        info: Info,
        date_from: DateFrom = None,
        date_to: DateTo = None,
        interval: Annotated[Interval, graphql.argument("length of each interval")] = Interval.day,
        timezone: Timezone = "UTC",
        kind: Kind = StatisticsKind.project,
        channel: Annotated[ProjectChannel | None, graphql.argument("only messages of this channel")] = None,
        owner_id: OwnerId = None,
    ) -> types.GeneralStatistics | None:
        return await statistics.general(
            await owned(info, owner_id), date_from, date_to, interval, timezone, kind, channel
        )

    @graphql.query()
    async def statistics_by_channel(
        self,
        info: Info,
        date_from: DateFrom = None,
        date_to: DateTo = None,
        interval: Annotated[
            Interval, graphql.argument("length of the intervals that the time range is extended to")
        ] = Interval.day,
        timezone: Timezone = "UTC",
        kind: Kind = StatisticsKind.project,
        owner_id: OwnerId = None,
    ) -> list[ChannelStatistics] | None:
        return as_type(
            await statistics.by_channel(
                await owned(info, owner_id), date_from, date_to, interval, timezone, kind
            )
        )

    @connection(where=SendingProjectWhere, order=SendingProjectOrder)
    async def statistics_list(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ProjectStatistics] | None:
        return as_type(await statistics.page(info.context, page_args, where))

    @graphql.query()
    async def statistics_total(
        self, info: Info, kind: Kind = StatisticsKind.project, owner_id: OwnerId = None
    ) -> types.TotalStatistics | None:
        return await statistics.total(await owned(info, owner_id), kind)
