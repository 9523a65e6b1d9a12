"""The first administrator of an installation in GraphQL."""

import strawberry

from resolvers import first_user
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.auth import AuthTokens
from shapes.first_user import FirstUser

graphql.input(FirstUser, description=FirstUser.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_first_user(self, info: Info, input: FirstUser) -> AuthTokens | None:
        return await first_user.create(info.context, input)
