"""The channels of the installation in GraphQL."""

import strawberry

from resolvers import sending_channels
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes.sending_channels import SendingChannel
from shapes.shape import Cost

graphql.type(SendingChannel, name=SendingChannel.__name__, description=SendingChannel.__doc__)


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=5))
    async def sending_channels(self, info: Info) -> list[SendingChannel] | None:
        return as_type(await sending_channels.every(info.context))
