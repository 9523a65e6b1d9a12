"""The outcomes of messages in GraphQL."""

from datetime import datetime
from typing import Annotated

import strawberry

from resolvers import outcomes
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import outcomes as types

for shape in (types.ChannelOutcomes, types.Outcomes):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def statistics_outcomes(
        self,
        info: Info,
        date_from: Annotated[
            datetime | None,
            graphql.argument("only messages created since then; default: 24 hours ago; at most 92 days ago"),
        ] = None,
    ) -> types.Outcomes | None:
        return await outcomes.by_channel(info.context, date_from)
