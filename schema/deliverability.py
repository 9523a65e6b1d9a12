"""Deliverability in GraphQL."""

from datetime import datetime
from typing import Annotated

import strawberry

from resolvers import deliverability
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import deliverability as types

for shape in (types.ProviderDeliverability, types.Deliverability):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query(
        "Counts your emails by the provider of the mailbox: how many were sent, came back, or were reported as "
        "spam. Administrators get the counts of all users."
    )
    async def deliverability(
        self,
        info: Info,
        date_from: Annotated[
            datetime | None,
            graphql.argument("start of the period; default: 7 days before dateTo; at most 92 days ago"),
        ] = None,
        date_to: Annotated[datetime | None, graphql.argument("end of the period; default: now")] = None,
    ) -> types.Deliverability | None:
        return await deliverability.by_provider(info.context, date_from, date_to)
