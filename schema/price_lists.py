"""Price lists in GraphQL."""

from typing import Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import price_lists
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import price_lists as types
from shapes.price_lists import (
    NewPriceList,
    NewPriceListVersion,
    PricedChannel,
    PriceListPatch,
    PriceListVersionWhere,
    PriceListWhere,
    PriceWhere,
)

for part in (
    PriceListWhere,
    PriceListVersionWhere,
    PriceWhere,
    NewPriceList,
    PriceListPatch,
    types.NewPrice,
    NewPriceListVersion,
):
    graphql.input(part, description=part.__doc__)
graphql.type(types.PriceListVersion, description=types.PriceListVersion.__doc__)
graphql.type(types.PriceRow, name="Price", description=types.PriceRow.__doc__)


@graphql.node("PriceList", row=models.PriceList, read=price_lists.get, description=types.PriceList.__doc__)
class PriceList(types.PriceList):
    @relation("the version that holds now; null if none does")
    async def current(rows: Any, info: Info) -> list[types.PriceListVersion | None]:
        return as_type(await price_lists.current(info.context, [row.id for row in rows]))

    @relation("its versions, newest first", where=PriceListVersionWhere)
    async def versions(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[types.PriceListVersion] | None]:
        return as_type(await price_lists.versions(info.context, [row.id for row in rows], page_args, where))


@strawberry.type
class Query:
    @connection(where=PriceListWhere)
    async def price_lists(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[PriceList] | None:
        return as_type(await price_lists.page(info.context, page_args, where))

    @graphql.query()
    async def price_list(self, info: Info, id: ID) -> PriceList | None:
        return PriceList.of(await price_lists.get(info.context, local_id(id, "PriceList")))

    @connection(where=PriceWhere)
    async def prices(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        list_id: Annotated[ID, graphql.argument("the price list: its id or uuid")],
        version: Annotated[
            int | None, graphql.argument("number of the version; default: the one that holds now")
        ] = None,
        channel: Annotated[PricedChannel, graphql.argument("channel of the messages")] = PricedChannel.sms,
        begins: Annotated[str, graphql.argument("only prefixes that begin with these digits")] = "",
    ) -> Connection[types.PriceRow] | None:
        id = local_id(list_id, "PriceList")
        return as_type(
            await price_lists.prices(
                info.context, id, page_args, where, channel=channel, version=version, begins=begins
            )
        )


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_price_list(self, info: Info, input: NewPriceList) -> PriceList | None:
        return PriceList.of(await price_lists.create(info.context, input))

    @graphql.mutation()
    async def update_price_list(self, info: Info, id: ID, input: PriceListPatch) -> PriceList | None:
        return PriceList.of(await price_lists.update(info.context, local_id(id, "PriceList"), input))

    @graphql.mutation()
    async def delete_price_list(self, info: Info, id: ID) -> bool | None:
        await price_lists.delete(info.context, local_id(id, "PriceList"))
        return True

    @graphql.mutation()
    async def add_price_list_version(
        self, info: Info, id: ID, input: NewPriceListVersion
    ) -> types.PriceListVersion | None:
        return as_type(await price_lists.add_version(info.context, local_id(id, "PriceList"), input))

    @graphql.mutation()
    async def delete_price_list_version(
        self, info: Info, id: ID, number: Annotated[int, graphql.argument("number of the version")]
    ) -> bool | None:
        await price_lists.delete_version(info.context, local_id(id, "PriceList"), number)
        return True
