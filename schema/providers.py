"""Providers that can be set up, in GraphQL."""

import strawberry

from resolvers import providers
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes import providers as types
from shapes.providers import NewProvider, ProviderDescription, ProviderTest, ProviderTestResult
from shapes.shape import Cost
from shapes.system import SystemRoute

for shape in (types.ProviderField, types.ProviderDescription, types.ProviderTestResult):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)
for part in (NewProvider, ProviderTest):
    graphql.input(part, description=part.__doc__)


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=50))
    async def providers(self, info: Info) -> list[ProviderDescription] | None:
        return as_type(await providers.every(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_up_provider(self, info: Info, input: NewProvider) -> SystemRoute | None:
        return as_type(await providers.set_up(info.context, input))

    @graphql.mutation()
    async def test_provider(self, info: Info, input: ProviderTest) -> ProviderTestResult | None:
        return as_type(await providers.test(info.context, input))
