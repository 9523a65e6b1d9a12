"""Tariffs in GraphQL."""

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import tariffs
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import Info
from shapes import tariffs as types
from shapes.tariffs import CurrentTariff, SetTariff, Tariff, TariffWhere

graphql.input(TariffWhere, description=TariffWhere.__doc__)
graphql.input(SetTariff, description=SetTariff.__doc__)
for shape in (Tariff, types.TariffUse, CurrentTariff):
    graphql.type(shape, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def tariff(self, info: Info) -> CurrentTariff | None:
        return await tariffs.current(info.context)

    @connection(where=TariffWhere)
    async def tariffs(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Tariff] | None:
        return as_type(await tariffs.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_tariff(self, info: Info, input: SetTariff) -> CurrentTariff | None:
        return await tariffs.set(info.context, input)
