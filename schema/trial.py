"""Test sending in GraphQL."""

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import trial
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import trial as types
from shapes.trial import SendingError, SendTest, TestedMessage, TrialMessageWhere

graphql.input(SendTest, description=SendTest.__doc__)
graphql.input(TrialMessageWhere, description=TrialMessageWhere.__doc__)
graphql.type(SendingError, description=SendingError.__doc__)
graphql.type(TestedMessage, description=TestedMessage.__doc__)


@graphql.node("TrialMessage", row=models.Message, read=trial.get, description=types.TrialMessage.__doc__)
class TrialMessage(types.TrialMessage):
    pass


@strawberry.type
class Query:
    @graphql.query()
    async def trial_message(self, info: Info, id: ID) -> TrialMessage | None:
        return TrialMessage.of(await trial.get(info.context, local_id(id, "TrialMessage")))

    @connection(where=TrialMessageWhere)
    async def trial_messages(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[TrialMessage] | None:
        return as_type(await trial.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def send_test_message(self, info: Info, input: SendTest) -> TestedMessage | None:
        return await trial.send(info.context, input)
