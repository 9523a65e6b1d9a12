"""Facts about the world in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import common
from schema import graphql
from schema.graphql import Info
from schema.types import common as types
from schema.types.common import Country, Currency

graphql.type(types.Country, name="Country", description=types.Country.__doc__)
graphql.type(types.Currency, name="Currency", description=types.Currency.__doc__)
Language = Annotated[
    str | None,
    strawberry.argument(description="of the names, like an Accept-Language header: `de-CH, fr;q=0.8`"),
]


@strawberry.type
class Query:
    @graphql.query("Every country of ISO 3166-1 with its dial code, by name.")
    async def countries(self, info: Info, language: Language = None) -> list[Country] | None:
        return list(await common.countries(info.context, language))

    @graphql.query("The names of the IANA time zones, sorted.")
    async def timezones(self, info: Info) -> list[str] | None:
        return list(await common.timezones(info.context))

    @graphql.query("Every currency of ISO 4217, by code.")
    async def currencies(self, info: Info, language: Language = None) -> list[Currency] | None:
        return list(await common.currencies(info.context, language))
