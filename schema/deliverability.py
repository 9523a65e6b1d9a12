"""Deliverability in GraphQL."""

from datetime import datetime
from typing import Annotated

import strawberry

from resolvers import deliverability
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import deliverability as types

for shape in (
    types.DegradedProvider,
    types.ProviderReports,
    types.ProviderDeliverability,
    types.Deliverability,
    types.ProjectDeliverability,
    types.DeliverabilityByProject,
):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

DateFrom = Annotated[
    datetime | None,
    graphql.argument("start of the period; default: 7 days before dateTo; at most 92 days ago"),
]
DateTo = Annotated[datetime | None, graphql.argument("end of the period; default: now")]


@strawberry.type
class Query:
    @graphql.query()
    async def deliverability(
        self,
        info: Info,
        date_from: DateFrom = None,
        date_to: DateTo = None,
    ) -> types.Deliverability | None:
        return await deliverability.by_provider(info.context, date_from, date_to)

    @graphql.query()
    async def deliverability_by_project(
        self, info: Info, date_from: DateFrom = None, date_to: DateTo = None
    ) -> types.DeliverabilityByProject | None:
        return await deliverability.by_project(info.context, date_from, date_to)
