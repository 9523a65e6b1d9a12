"""Quotes in GraphQL."""

import strawberry

from resolvers import quotes
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.quotes import Quote, QuoteMessage

graphql.input(QuoteMessage, description=QuoteMessage.__doc__)
graphql.type(Quote, description=Quote.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def quote(self, info: Info, input: QuoteMessage) -> Quote | None:
        return await quotes.get(info.context, input)
