"""The purposes of the installation in GraphQL."""

import strawberry

from resolvers import purposes
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes import purposes as types
from shapes.purposes import InstallationView, Purposes, PurposesPatch

for shape in (types.ModuleUse, types.InstallationView, types.Purposes):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)
graphql.input(PurposesPatch, description=PurposesPatch.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def installation(self, info: Info) -> InstallationView | None:
        return as_type(await purposes.view(info.context))

    @graphql.query()
    async def purposes(self, info: Info) -> Purposes | None:
        return as_type(await purposes.get(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_purposes(self, info: Info, input: PurposesPatch) -> Purposes | None:
        return as_type(await purposes.set_purposes(info.context, input))
