"""Rules of routes in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import route_rules, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import route_rules as types
from shapes.route_rules import (
    MOST_QUALITIES,
    RouteQuality,
    RouteRuleInput,
    RouteRuleWhere,
    RouteTrace,
    TraceRoute,
)
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

for part in (RouteRuleInput, RouteRuleWhere, TraceRoute):
    graphql.input(part, description=part.__doc__)
for shape in (types.RouteCandidate, types.RouteObstacle, RouteTrace, RouteQuality):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("RouteRule", row=models.RouteRule, read=route_rules.get, description=types.RouteRule.__doc__)
class RouteRule(types.RouteRule):
    @relation("the user whose messages it is about; null: those of all users", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("country of the prefix (ISO 3166-1, two letters); null if it has none or several", "prefix")
    async def country(rows: Any, info: Info) -> list[str | None]:
        return [route_rules.country(row.prefix) for row in rows]


@strawberry.type
class Query:
    @connection(where=RouteRuleWhere)
    async def route_rules(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[RouteRule] | None:
        return as_type(await route_rules.page(info.context, page_args, where))

    @graphql.query()
    async def route_rule(self, info: Info, id: ID) -> RouteRule | None:
        return RouteRule.of(await route_rules.get(info.context, local_id(id, "RouteRule")))

    @graphql.query()
    async def route_for(self, info: Info, input: TraceRoute) -> RouteTrace | None:
        return await route_rules.trace(info.context, input)

    @graphql.query(cost=Cost(most=MOST_QUALITIES))
    async def route_quality(self, info: Info) -> list[RouteQuality] | None:
        return await route_rules.quality(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_route_rule(self, info: Info, input: RouteRuleInput) -> RouteRule | None:
        return RouteRule.of(await route_rules.create(info.context, input))

    @graphql.mutation()
    async def update_route_rule(self, info: Info, id: ID, input: RouteRuleInput) -> RouteRule | None:
        return RouteRule.of(await route_rules.update(info.context, local_id(id, "RouteRule"), input))

    @graphql.mutation()
    async def delete_route_rule(self, info: Info, id: ID) -> bool | None:
        await route_rules.delete(info.context, local_id(id, "RouteRule"))
        return True
