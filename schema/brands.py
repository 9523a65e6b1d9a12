"""The brand in GraphQL."""

import strawberry

from resolvers import brands
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.brands import (
    Brand,
    BrandColors,
    BrandColorsInput,
    BrandFooter,
    BrandFooterInput,
    BrandLink,
    BrandLinkInput,
    SetBrand,
)

for part in (BrandColorsInput, BrandLinkInput, BrandFooterInput, SetBrand):
    graphql.input(part, description=part.__doc__)
for shape in (BrandColors, BrandLink, BrandFooter, Brand):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def brand(self, info: Info) -> Brand | None:
        return await brands.get(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_brand(self, info: Info, input: SetBrand) -> Brand | None:
        return await brands.put(info.context, input)

    @graphql.mutation()
    async def delete_brand(self, info: Info) -> bool | None:
        await brands.delete(info.context)
        return True
