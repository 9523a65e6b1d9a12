"""Tariffs in GraphQL."""

import strawberry

from resolvers import tariffs
from schema import graphql
from schema.graphql import Info
from schema.types import tariffs as types
from schema.types.page import Meta
from schema.types.tariffs import CurrentTariff, SetTariff, Tariff

graphql.input(SetTariff, description=SetTariff.__doc__)
for shown in (Tariff, types.TariffUse, CurrentTariff):
    graphql.type(shown, description=shown.__doc__)


@strawberry.type(description="A page of tariffs.")
class TariffPage:
    items: list[Tariff] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("Your tariff, and how much of it is used up.")
    async def tariff(self, info: Info) -> CurrentTariff | None:
        return await tariffs.current(info.context)

    @graphql.query("Tariffs that you may choose, and your own, by code; all, for administrators.")
    async def tariffs(self, info: Info, page: int = 1, limit: int = 20) -> TariffPage | None:
        return graphql.page(TariffPage, await tariffs.list(info.context, page, limit))


@strawberry.type
class Mutation:
    @graphql.mutation(
        "Chooses a tariff by its code; with more than the code, makes or changes it, for administrators."
    )
    async def set_tariff(self, info: Info, input: SetTariff) -> CurrentTariff | None:
        return await tariffs.set(info.context, input)
