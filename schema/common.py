"""Countries, time zones and currencies in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import common
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import common as types
from shapes.common import Country, Currency
from shapes.shape import Cost

graphql.type(types.Country, name="Country", description=types.Country.__doc__)
graphql.type(types.Currency, name="Currency", description=types.Currency.__doc__)
Language = Annotated[
    str | None,
    strawberry.argument(
        description="language of the names, in the format of an Accept-Language header: `de-CH, fr;q=0.8`; "
        "default: English"
    ),
]


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=300))  # ISO 3166-1 has 249
    async def countries(self, info: Info, language: Language = None) -> list[Country] | None:
        return list(await common.countries(info.context, language))

    @graphql.query()
    async def timezones(self, info: Info) -> list[str] | None:
        return list(await common.timezones(info.context))

    @graphql.query(cost=Cost(most=250))  # ISO 4217 has 178
    async def currencies(self, info: Info, language: Language = None) -> list[Currency] | None:
        return list(await common.currencies(info.context, language))
