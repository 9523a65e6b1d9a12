"""Traffic and the costs of routes in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import costs
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes import costs as types
from shapes.costs import MOST_ROUTE_COSTS, RouteCostInput, TrafficInput
from shapes.shape import Cost

for part in (RouteCostInput, TrafficInput):
    graphql.input(part, description=part.__doc__)
for shape in (types.RouteCost, types.TrafficRow, types.TrafficPage):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query(cost=Cost(work=10))
    async def traffic(self, info: Info, input: TrafficInput | None = None) -> types.TrafficPage | None:
        return as_type(await costs.traffic(info.context, input or TrafficInput()))

    @graphql.query(cost=Cost(most=MOST_ROUTE_COSTS))
    async def route_costs(self, info: Info) -> list[types.RouteCost] | None:
        return as_type(await costs.routes(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_route_costs(
        self,
        info: Info,
        route: Annotated[str, graphql.argument("name of the route, as messages or as rules have it")],
        input: RouteCostInput,
    ) -> types.RouteCost | None:
        return as_type(await costs.set_route(info.context, route, input))
