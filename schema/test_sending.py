"""Test sending in GraphQL."""

import strawberry

from resolvers import test_sending
from schema import graphql
from schema.graphql import Info
from schema.types.test_sending import SendingError, SendTest, TestedMessage

graphql.input(SendTest, description=SendTest.__doc__)
graphql.type(SendingError, description=SendingError.__doc__)
graphql.type(TestedMessage, description=TestedMessage.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation("Sends one message now and waits up to 30 s for what becomes of it.")
    async def send_test_message(self, info: Info, input: SendTest) -> TestedMessage | None:
        return await test_sending.send(info.context, input)
