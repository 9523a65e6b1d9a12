"""Domains of emails in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import domains, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import domains as types
from shapes.domains import DomainFinding, DomainName, DomainRecord, DomainWhere, NewDomain
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

for part in (NewDomain, DomainWhere):
    graphql.input(part, description=part.__doc__)
for shape in (DomainRecord, DomainFinding):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
DomainArgument = Annotated[DomainName, graphql.argument("a domain of emails, such as example.com")]
Selector = Annotated[str | None, graphql.argument("only the installation's key of this selector")]


@graphql.node("Domain", row=models.Domain, read=domains.get, description=types.Domain.__doc__)
class Domain(types.Domain):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @graphql.computed(types.RECORDS, "records", name="records", cost=Cost(most=types.MOST_RECORDS))
    def typed_records(self: Any) -> list[DomainRecord]:
        return [DomainRecord.model_validate(record) for record in self.records]

    @relation("the user who owns this domain", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=DomainWhere)
    async def domains(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Domain] | None:
        return as_type(await domains.page(info.context, page_args, where))

    @graphql.query()
    async def domain(self, info: Info, id: ID) -> Domain | None:
        return Domain.of(await domains.get(info.context, local_id(id, "Domain")))

    @graphql.query(cost=Cost(most=types.MOST_FINDINGS, work=50))
    async def domain_findings(self, info: Info, id: ID) -> list[DomainFinding] | None:
        return as_type(await domains.findings(info.context, local_id(id, "Domain")))

    @graphql.query(cost=Cost(most=types.MOST_FINDINGS, work=50))
    async def domain_check(
        self, info: Info, domain: DomainArgument, selector: Selector = None
    ) -> list[DomainFinding] | None:
        return as_type(await domains.check(info.context, domain, selector))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_domain(self, info: Info, input: NewDomain) -> Domain | None:
        return Domain.of(await domains.create(info.context, input))

    @graphql.mutation()
    async def verify_domain(self, info: Info, id: ID) -> Domain | None:
        return Domain.of(await domains.verify(info.context, local_id(id, "Domain")))

    @graphql.mutation()
    async def rotate_domain_key(self, info: Info, id: ID) -> Domain | None:
        return Domain.of(await domains.rotate(info.context, local_id(id, "Domain")))

    @graphql.mutation()
    async def delete_domain(self, info: Info, id: ID) -> bool | None:
        await domains.delete(info.context, local_id(id, "Domain"))
        return True
