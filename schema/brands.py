"""The brand in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import brands
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.brands import (
    Brand,
    BrandColors,
    BrandColorsInput,
    BrandContrast,
    BrandFooter,
    BrandFooterInput,
    BrandLink,
    BrandLinkInput,
    BrandPreview,
    SetBrand,
)
from shapes.users import Locale

for part in (BrandColorsInput, BrandLinkInput, BrandFooterInput, SetBrand):
    graphql.input(part, description=part.__doc__)
for shape in (BrandColors, BrandLink, BrandFooter, Brand, BrandContrast, BrandPreview):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


PageLocale = Annotated[Locale | None, graphql.argument("language tag of the page (BCP 47)")]


@strawberry.type
class Query:
    @graphql.query()
    async def brand(self, info: Info) -> Brand | None:
        return await brands.get(info.context)

    @graphql.query()
    async def brand_preview(
        self, info: Info, input: SetBrand, locale: PageLocale = None
    ) -> BrandPreview | None:
        return await brands.preview(info.context, input, locale)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_brand(self, info: Info, input: SetBrand) -> Brand | None:
        return await brands.put(info.context, input)

    @graphql.mutation()
    async def delete_brand(self, info: Info) -> bool | None:
        await brands.delete(info.context)
        return True
