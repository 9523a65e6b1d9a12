"""Domains of owners for links and pages in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import brand_domains, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import brand_domains as types
from shapes.brand_domains import BrandDomainWhere, NewBrandDomain

if TYPE_CHECKING:
    from schema.users import User

for part in (NewBrandDomain, BrandDomainWhere):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node(
    "BrandDomain", row=models.BrandDomain, read=brand_domains.get, description=types.BrandDomain.__doc__
)
class BrandDomain(types.BrandDomain):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @relation("the user who owns this domain", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=BrandDomainWhere)
    async def brand_domains(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[BrandDomain] | None:
        return as_type(await brand_domains.page(info.context, page_args, where))

    @graphql.query()
    async def brand_domain(self, info: Info, id: ID) -> BrandDomain | None:
        return BrandDomain.of(await brand_domains.get(info.context, local_id(id, "BrandDomain")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_brand_domain(self, info: Info, input: NewBrandDomain) -> BrandDomain | None:
        return BrandDomain.of(await brand_domains.create(info.context, input))

    @graphql.mutation()
    async def verify_brand_domain(self, info: Info, id: ID) -> BrandDomain | None:
        return BrandDomain.of(await brand_domains.verify(info.context, local_id(id, "BrandDomain")))

    @graphql.mutation()
    async def delete_brand_domain(self, info: Info, id: ID) -> bool | None:
        await brand_domains.delete(info.context, local_id(id, "BrandDomain"))
        return True
