"""The installation in GraphQL."""

from typing import Annotated

import strawberry
from pydantic import Field

from resolvers import system
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes import system as types
from shapes.shape import Cost
from shapes.system import (
    DoctorReport,
    IpAllowlist,
    IpAllowlistLine,
    NewSystemRoute,
    SystemRoute,
    SystemRoutePatch,
)

for shape in (
    types.Finding,
    types.DoctorReport,
    types.SystemRoute,
    types.IpAllowlist,
    types.IpAllowlistLine,
):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

for part in (NewSystemRoute, SystemRoutePatch):
    graphql.input(part, description=part.__doc__)

RouteName = Annotated[str, Field(max_length=32), graphql.argument("name of the route")]


@strawberry.type
class Query:
    @graphql.query()
    async def doctor(
        self,
        info: Info,
        fresh: Annotated[
            bool, graphql.argument("true: check again, unless the last check ended within two seconds")
        ] = False,
    ) -> DoctorReport | None:
        return await system.doctor(info.context, fresh)

    @graphql.query(cost=Cost(most=200))
    async def system_routes(self, info: Info) -> list[SystemRoute] | None:
        return as_type(await system.routes(info.context))

    @graphql.query()
    async def ip_allowlist(self, info: Info) -> IpAllowlist | None:
        return await system.ip_allowlist(info.context)

    @graphql.query(cost=Cost(most=1000))
    async def ip_allowlist_lines(
        self,
        info: Info,
        address: Annotated[
            str | None, graphql.argument("only requests with exactly this `x-real-ip`")
        ] = None,
    ) -> list[IpAllowlistLine] | None:
        return as_type(await system.ip_allowlist_lines(info.context, address))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_system_route(
        self,
        info: Info,
        name: RouteName,
        input: SystemRoutePatch,
    ) -> SystemRoute | None:
        return as_type(await system.set_route(info.context, name, input))

    @graphql.mutation()
    async def create_system_route(self, info: Info, input: NewSystemRoute) -> SystemRoute | None:
        return as_type(await system.create_route(info.context, input))

    @graphql.mutation()
    async def delete_system_route(self, info: Info, name: RouteName) -> bool | None:
        await system.delete_route(info.context, name)
        return True
