"""Rules of receivers in GraphQL."""

from typing import Annotated
from uuid import UUID

import strawberry

from resolvers import receivers
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import receivers as types
from shapes.receivers import MOST_PAUSES, MOST_RULES, ReceiverRuleInput
from shapes.shape import Cost

graphql.input(ReceiverRuleInput, description=ReceiverRuleInput.__doc__)
for shape in (types.ReceiverUse, types.ReceiverRule, types.ReceiverPause):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=MOST_RULES))
    async def receiver_rules(self, info: Info) -> list[types.ReceiverRule] | None:
        return await receivers.rules(info.context)

    @graphql.query(cost=Cost(most=MOST_PAUSES))
    async def receiver_pauses(self, info: Info) -> list[types.ReceiverPause] | None:
        return await receivers.pauses(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_receiver_rule(self, info: Info, input: ReceiverRuleInput) -> types.ReceiverRule | None:
        return await receivers.set_rule(info.context, input)

    @graphql.mutation()
    async def delete_receiver_rule(
        self, info: Info, uuid: Annotated[UUID, graphql.argument("id of the rule")]
    ) -> bool | None:
        await receivers.delete_rule(info.context, uuid)
        return True

    @graphql.mutation()
    async def lift_receiver_pause(
        self, info: Info, uuid: Annotated[UUID, graphql.argument("id of the pause")]
    ) -> bool | None:
        await receivers.lift_pause(info.context, uuid)
        return True
